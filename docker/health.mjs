// The health check of the container image: a server over HTTP has to answer, any other command only has to run.
import { readFileSync } from "node:fs";

const words = readFileSync("/proc/1/cmdline", "utf8").split("\0");
const address = words[words.indexOf("--http") + 1];
if (words.includes("--http") && address) {
  const port = address.slice(address.lastIndexOf(":") + 1);
  const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  if (!ok) process.exitCode = 1;
}
