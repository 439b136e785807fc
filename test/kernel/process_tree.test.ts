import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { residentBytes, residentBytesInTable, treeOf } from "../../src/kernel/process/process_tree.ts";
import { sees_processes, until } from "../support/processes.ts";

const kib = 1024;

/** `ps -axo pid=,ppid=,rss=` of a macOS, shortened: a solver 712 with a shell 713 and its child 714. */
const table = `
    1     0  14032
  388     1   2256
  711   388  48112
  714   713   3000
  712   711 100000
  713   712   2000
  715   711  70000
 7120     1   9000
`;

describe("the memory of a process tree, out of a table of ps", () => {
  test("is that of the root and of all that descends from it, in any order", () => {
    expect(residentBytesInTable(table, 712)).toBe((100_000 + 2_000 + 3_000) * kib);
  });

  test("leaves out siblings, parents, and pids that only begin alike", () => {
    expect(residentBytesInTable(table, 715)).toBe(70_000 * kib);
    expect(residentBytesInTable(table, 7120)).toBe(9_000 * kib);
  });

  test("is nothing for a process that is gone, an empty table and a table cut short", () => {
    expect(residentBytesInTable(table, 99)).toBe(0);
    expect(residentBytesInTable("", 712)).toBe(0);
    expect(residentBytesInTable("  712   711", 712)).toBe(0);
  });

  test("is found although the table claims a circle", () => {
    expect(residentBytesInTable("1 2 10\n2 1 20\n", 1)).toBe(30 * kib);
  });
});

describe.skipIf(!sees_processes)("the process tree in /proc", () => {
  test("has the root first and finds a grandchild", async () => {
    const child = spawn("/bin/sh", ["-c", "sh -c 'sleep 60; :'; :"], { stdio: "ignore", detached: true });
    const { pid = 0 } = child;
    try {
      expect(await until(() => treeOf(pid).length === 3, 120_000)).toBe(true);
      expect(treeOf(pid)[0]).toBe(pid);
      expect(treeOf(process.pid)).toContain(treeOf(pid)[2]);
      expect(residentBytes(treeOf(pid))).toBeGreaterThan(residentBytes([pid]));
    } finally {
      process.kill(-pid, "SIGKILL");
    }
  });

  test("of a process that is gone is the root alone, with no memory", () => {
    const no_such_pid = 2 ** 30;
    expect(treeOf(no_such_pid)).toEqual([no_such_pid]);
    expect(residentBytes([no_such_pid])).toBe(0);
  });

  test("counts the resident memory of this very process to within a factor of two", () => {
    const { rss } = process.memoryUsage();
    expect(residentBytes([process.pid])).toBeGreaterThan(rss / 2);
    expect(residentBytes([process.pid])).toBeLessThan(rss * 2);
  });
});
