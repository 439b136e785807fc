import { readFileSync } from "node:fs";
import { request as requestTls } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { addToken } from "../../src/server/http/auth/tokens.ts";
import { scratchDirectory } from "../support/directories.ts";
import { quickest_z3 } from "../support/engines.ts";
import { connectHttp, type HttpServer, serveHttp } from "../support/http.ts";
import { nginx, type RunningProxy, startNginx } from "../support/nginx.ts";
import { endless } from "../support/scripts.ts";

const hard = { smtlib: endless, timeout_ms: 100_000 };

describe.skipIf(nginx === undefined)("behind nginx, as docs/proxy.md sets it up", () => {
  const directory = scratchDirectory();
  const file = join(directory, "tokens.json");
  let server: HttpServer;
  let proxy: RunningProxy;
  let token: string;
  beforeAll(async () => {
    token = await addToken(file, { name: "ann", scopes: ["solve", "admin"] }, new Deadline(60_000));
    const env = { VERDICT_Z3: quickest_z3, VERDICT_DATA: join(directory, "data") };
    server = await serveHttp(["--tokens", file, "--public-url", "https://verdict.example/mcp"], env);
    proxy = await startNginx(join(directory, "nginx"), server.url, "verdict.example");
  });
  afterAll(async () => {
    await proxy?.close();
    await server?.end();
  });

  const running = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const text = await (await fetch(new URL("/metrics", server.url), { headers })).text();
    return Number(/^verdict_calls_running (\S+)$/m.exec(text)?.[1]);
  };

  it.each(["legacy", "auto"] as const)(
    "a client of the %s era gets progress while its call runs, and can cancel it",
    async (era) => {
      const client = await connectHttp(proxy.plain_url, era, token);
      const easy = { smtlib: "(declare-const x Int)(assert (> x 3))" };
      const answer = await client.callTool({ name: "solve_smtlib", arguments: easy }, { timeout: 200_000 });
      expect(answer.structuredContent).toMatchObject({ status: "sat" });
      const giving_up = new AbortController();
      let heard: (message: string) => void = () => {};
      const progress = new Promise<string>((resolve) => {
        heard = resolve;
      });
      const call = client
        .callTool(
          { name: "solve_smtlib", arguments: hard },
          { timeout: 200_000, signal: giving_up.signal, onprogress: ({ message }) => heard(message ?? "") },
        )
        .then(
          () => "answered",
          () => "cancelled",
        );
      // It arrives before the answer: nothing on the way waits for the end.
      expect(await Promise.race([call, progress])).not.toBe("answered");
      expect(await running()).toBe(1);
      giving_up.abort();
      expect(await call).toBe("cancelled");
      while ((await running()) > 0) await sleep(20);
      await client.close();
    },
  );

  /** A request over TLS for a host of this name. */
  const tls = (host: string, path: string, headers: Record<string, string> = {}) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { port } = proxy.url;
      const ca = readFileSync(proxy.certificate);
      const options = {
        host: "127.0.0.1",
        port,
        path,
        ca,
        servername: "verdict.example",
        headers: { host, ...headers },
      };
      requestTls(options, (response) => {
        response.resume().once("end", () => resolve(response.statusCode));
      })
        .once("error", reject)
        .end();
    });

  it("is reached over TLS under its public name, and under no other", async () => {
    const authorization = `Bearer ${token}`;
    expect(await tls("verdict.example", "/readyz")).toBe(200);
    expect(await tls("verdict.example", "/metrics", { authorization })).toBe(200);
    expect(await tls("verdict.example", "/metrics")).toBe(401);
    expect(await tls("evil.example", "/metrics", { authorization })).toBe(403);
    expect(await tls("verdict.example", "/metrics", { authorization, origin: "https://evil.example" })).toBe(403);
  });

  it("takes a message of more than nginx's usual megabyte", async () => {
    const client = await connectHttp(proxy.plain_url, "auto", token);
    const smtlib = `${"; a long comment\n".repeat(100_000)}(declare-const x Int)(assert (> x 3))`;
    expect(smtlib.length).toBeGreaterThan(1024 * 1024);
    const answer = await client.callTool({ name: "solve_smtlib", arguments: { smtlib } }, { timeout: 200_000 });
    expect(answer.structuredContent).toMatchObject({ status: "sat" });
    await client.close();
  });
});
