import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { serveJobs } from "../../src/engines/wasm/jobs.ts";

/** A process of an embedded engine with these jobs on its input, and what it has done so far. */
function serving(...jobs: readonly string[]) {
  const input = new PassThrough();
  const done: string[] = [];
  const send = (job: string) => input.write(`${JSON.stringify(job)}\n`);
  jobs.forEach(send);
  const note = (what: string) => Promise.resolve(void done.push(what));
  serveJobs(note, () => note("warm-up"), input);
  const turns = async () => {
    for (let i = 0; i < 10; i++) await turn();
    return done;
  };
  return { send, turns };
}

describe("an embedded engine that starts", () => {
  it("is warmed up before its first job", async () => {
    const { send, turns } = serving();
    expect(await turns()).toEqual(["warm-up"]);
    send("a job");
    expect(await turns()).toEqual(["warm-up", "a job"]);
  });

  it("begins at once with a job that is already waiting", async () => {
    const { send, turns } = serving("a job");
    expect(await turns()).toEqual(["a job"]);
    send("another one");
    expect(await turns()).toEqual(["a job", "another one"]);
  });
});
