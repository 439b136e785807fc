"""The Python side of Verdict: runs models written by language models in a sandbox, one process per job."""
