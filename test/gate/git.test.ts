import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Git } from "../../src/commands/gate/git.ts";
import { readConfig } from "../../src/config.ts";
import { Repository } from "../support/gate.ts";

const made: Repository[] = [];
afterAll(() => {
  for (const each of made) each.remove();
});

function open(project: Repository): Git {
  made.push(project);
  return new Git(readConfig({}), project.directory, new AbortController().signal);
}

const everything = [":(top,glob)**/*.py"];

describe("git, for a repository of somebody else", () => {
  it.each(["--upload-pack=touch x", "-c", "--output=x", "", "a\nb", "no/such/branch", "HEAD:file"])(
    "takes %j for no commit",
    async (ref) => {
      const project = new Repository();
      project.commit({ file: "" });
      const git = open(project);
      await expect(git.commit(ref)).rejects.toThrow("There is no commit");
      git.close();
    },
  );

  it("reads names with newlines, dashes, quotes and colons as they are", async () => {
    const names = ["--output=x.py", "a\nb.py", 'a"b.py', "a:b,c%.py", "-.py", "ä €.py", "dir/--.py"];
    const project = new Repository().change(
      Object.fromEntries(names.map((name) => [name, "x = 1\n"])),
      Object.fromEntries(names.map((name) => [name, `x = 2  # ${JSON.stringify(name)}\n`])),
    );
    const git = open(project);
    const files = await git.changedFiles(await git.commit("main"), await git.commit("work"), everything);
    expect(files.map(({ head }) => head?.path).toSorted()).toEqual(names.toSorted());
    for (const { head } of files)
      expect(head && (await git.read(head))).toBe(`x = 2  # ${JSON.stringify(head?.path)}\n`);
    git.close();
  });

  it("runs no program that the repository names", async () => {
    const project = new Repository().change(
      { "a.py": "x = 1\n", ".gitattributes": "*.py diff=evil filter=evil\n" },
      { "a.py": "x = 2\n" },
    );
    const mark = join(project.directory, "ran");
    const evil = join(project.directory, "evil");
    writeFileSync(evil, `#!/bin/sh\ntouch '${mark}'\ncat "$@" 2>/dev/null\n`);
    chmodSync(evil, 0o755);
    for (const [key, value] of [
      ...[
        ["core.fsmonitor", evil],
        ["core.pager", evil],
        ["pager.diff-tree", evil],
        ["diff.external", evil],
      ],
      ...[
        ["diff.evil.command", evil],
        ["diff.evil.textconv", evil],
        ["filter.evil.clean", evil],
        ["filter.evil.smudge", evil],
      ],
      ...[
        ["core.sshCommand", evil],
        ["core.gitProxy", evil],
        ["core.alternateRefsCommand", evil],
        ["alias.diff-tree", `!${evil}`],
      ],
      ...[
        ["core.hooksPath", project.directory],
        ["remote.origin.promisor", "true"],
        ["remote.origin.uploadpack", evil],
      ],
      ...[
        ["remote.origin.url", project.directory],
        ["extensions.partialClone", "origin"],
        ["core.repositoryformatversion", "1"],
      ],
    ])
      project.git("config", key ?? "", value ?? "");
    const git = open(project);
    const commits = [await git.commit("main"), await git.commit("work")] as const;
    const [file] = await git.changedFiles(await git.mergeBase(...commits), commits[1], everything);
    expect(file?.head && (await git.read(file.head))).toBe("x = 2\n");
    // An object that is missing is not fetched.
    expect(await git.read({ path: "b.py", object: "1".repeat(40) })).toBeUndefined();
    expect(await git.names(commits[0], "")).toContain("a.py");
    expect(existsSync(mark)).toBe(false);
    git.close();
  });

  it("compares with the place where both parted, as a pull request does", async () => {
    const project = new Repository().change({ "a.py": "x = 1\n" }, { "b.py": "x = 1\n" });
    project.git("checkout", "-q", "main");
    project.commit({ "c.py": "x = 1\n" });
    const git = open(project);
    const [base, head] = [await git.commit("main"), await git.commit("work")];
    const files = await git.changedFiles(await git.mergeBase(base, head), head, everything);
    expect(files.map((file) => file.head?.path)).toEqual(["b.py"]);
    project.git("checkout", "-q", "--orphan", "alone");
    project.commit({ "a.py": "" });
    await expect(git.mergeBase(base, await git.commit("alone"))).rejects.toThrow("no common ancestor");
    git.close();
  });

  it("leaves symbolic links out, and large files unread", async () => {
    const project = new Repository().change({ "a.py": "x = 1\n" }, { "a.py": "x = 1\n".repeat(200_000) });
    project.git(
      "update-index",
      "--add",
      "--cacheinfo",
      `120000,${project.git("rev-parse", "HEAD:a.py").trim()},link.py`,
    );
    project.git("commit", "-q", "-m", "link");
    const git = open(project);
    const files = await git.changedFiles(await git.commit("main"), await git.commit("work"), everything);
    expect(files.map(({ head }) => head?.path)).toEqual(["a.py"]);
    expect(files[0]?.head && (await git.read(files[0].head))).toBeUndefined();
    git.close();
  });
});
