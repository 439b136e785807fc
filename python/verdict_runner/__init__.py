"""The Python side of Verdict: runs models that language models wrote, in a sandbox, one process a job."""
