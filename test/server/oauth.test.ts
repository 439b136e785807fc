import { join } from "node:path";
import { SignJWT, UnsecuredJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { OAuth, readOAuth } from "../../src/server/http/auth/oauth.ts";
import { addToken } from "../../src/server/http/auth/tokens.ts";
import { http_limits } from "../../src/server/http/limits.ts";
import { scratchDirectory } from "../support/directories.ts";
import { quickest_z3 } from "../support/engines.ts";
import { connectHttp, type HttpServer, serveHttp } from "../support/http.ts";
import { type Behaviour, foreignToken, Issuer, now_s, usualClaims } from "../support/issuer.ts";

const audience = "https://verdict.example/mcp";

/** The settings for an issuer, with others in their place. */
function settingsFor(issuer: Issuer, more: Record<string, string> = {}) {
  const settings = readOAuth({ issuer: issuer.url, jwks: issuer.jwks, audience, ...more }, undefined);
  if (!settings) throw new Error("there are no settings");
  return settings;
}

/** Sets the clock ahead by the time in which the keys of an issuer are not fetched again. */
function afterCoolDown(): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + http_limits.keys_cool_down_ms);
}

describe("access tokens", () => {
  let issuer: Issuer;
  beforeEach(async () => {
    issuer = await Issuer.open();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    issuer.close();
  });

  it("name the principal by issuer and subject, and its scopes", async () => {
    const oauth = new OAuth(settingsFor(issuer));
    const token = await issuer.token(audience, { scope: "openid lean solve root" });
    const id = `${issuer.url}#ann`;
    expect(await oauth.identify(token)).toEqual({
      kind: "known",
      principal: {
        id: `oauth:${id}`,
        name: id,
        folder: ["principals", expect.stringMatching(/^@[0-9a-f]{40}$/)],
        scopes: ["solve", "lean"],
        quota: { calls_at_once: 8, calls_waiting: 16, processor_s_per_hour: 3_600, bytes_per_hour: 1_000_000_000 },
      },
    });
  });

  it("give two subjects two folders, whatever their names", async () => {
    const oauth = new OAuth(settingsFor(issuer));
    const folders = await Promise.all(
      ["ann", "Ann", "../ann", "token:ann", "a\0b"].map(async (sub) => {
        const identity = await oauth.identify(await issuer.token(audience, { sub }));
        return identity.kind === "known" ? identity.principal.folder.join("/") : identity.kind;
      }),
    );
    expect(new Set(folders).size).toBe(5);
    for (const folder of folders) expect(folder).toMatch(/^principals\/@[0-9a-f]{40}$/);
  });

  it.each([
    ["a list in scp", { scope: undefined, scp: ["solve", "admin"] }, {}, ["solve", "admin"]],
    ["another claim", { permissions: ["lean"] }, { scope_claim: "permissions" }, ["lean"]],
    ["a prefix", { scope: "verdict:solve lean" }, { scope_prefix: "verdict:" }, ["solve"]],
    ["no scope of ours", { scope: "openid" }, {}, []],
    ["a claim of another kind", { scope: { solve: true } }, {}, []],
  ])("have their scopes from %s", async (_, claims, settings: Record<string, string>, scopes) => {
    const oauth = new OAuth(settingsFor(issuer, settings));
    expect(await oauth.identify(await issuer.token(audience, claims))).toMatchObject({ principal: { scopes } });
  });

  it.each(["RS256", "EdDSA"] as const)("may be signed by %s", async (algorithm) => {
    await issuer.rotate("other", algorithm);
    const oauth = new OAuth(settingsFor(issuer));
    expect(await oauth.identify(await issuer.token(audience))).toMatchObject({ kind: "known" });
    const strict = new OAuth(settingsFor(issuer, { algorithms: "ES256" }));
    expect(await strict.identify(await issuer.token(audience))).toMatchObject({
      reason: expect.stringContaining("algorithm"),
    });
  });

  const refused: Record<string, [(issuer: Issuer) => Promise<string>, RegExp]> = {
    expired: [(by) => by.token(audience, { exp: now_s() - 60 }), /^the token has expired$/],
    "without an end": [(by) => by.token(audience, { exp: undefined }), /claim exp/],
    "not valid yet": [(by) => by.token(audience, { nbf: now_s() + 60 }), /claim nbf/],
    "for another server": [(by) => by.token("https://other.example/mcp"), /claim aud/],
    "for nobody": [(by) => by.token(audience, { aud: undefined }), /claim aud/],
    "of another issuer": [(by) => by.token(audience, { iss: "https://evil.example" }), /claim iss/],
    "without a subject": [(by) => by.token(audience, { sub: undefined }), /claim sub/],
    "with an empty subject": [(by) => by.token(audience, { sub: "" }), /claim sub/],
    ...Object.fromEntries(
      [["ann"], 5, true, {}, { toString: 1 }, null].map((sub) => [
        `whose subject is ${JSON.stringify(sub)}`,
        [(by: Issuer) => by.token(audience, { sub }), /claim sub/],
      ]),
    ),
    "with a long subject": [(by) => by.token(audience, { sub: "x".repeat(256) }), /claim sub/],
    "of an unknown key": [(by) => foreignToken(usualClaims(by.url, audience), "unknown"), /key/],
    "signed by another under the name of the key": [
      (by) => foreignToken(usualClaims(by.url, audience), "first"),
      /signature/,
    ],
    "without a signature (alg none)": [
      async (by) => new UnsecuredJWT(usualClaims(by.url, audience)).encode(),
      /algorithm|read/,
    ],
    "signed with the public key as a shared secret (HS256)": [
      async (by) => {
        const secret = new TextEncoder().encode(JSON.stringify(await by.publicKey()));
        const signing = new SignJWT(usualClaims(by.url, audience)).setProtectedHeader({ alg: "HS256", kid: "first" });
        return signing.sign(secret);
      },
      /algorithm/,
    ],
    "that names an address for its key": [
      async (by) => {
        const [, payload] = (await by.token(audience)).split(".");
        const header = { alg: "ES256", jku: by.jwks, kid: "x" };
        return `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${payload}.AAAA`;
      },
      /key|signature|read/,
    ],
    "that was cut": [async (by) => (await by.token(audience)).slice(0, -4), /signature|read/],
    "that is not a token": [async () => "abc", /read/],
  };

  it.each(Object.keys(refused))("are refused: %s", async (kind) => {
    const [make, reason] = refused[kind] ?? [];
    const token = await make?.(issuer);
    const oauth = new OAuth(settingsFor(issuer));
    // The same issuer is accepted otherwise.
    expect(await oauth.identify(await issuer.token(audience))).toMatchObject({ kind: "known" });
    expect(await oauth.identify(token ?? "")).toEqual({ kind: "refused", reason: expect.stringMatching(reason ?? "") });
  });

  it("of a new key are accepted, and those of the old one are not, once the keys are fetched again", async () => {
    const oauth = new OAuth(settingsFor(issuer));
    const old = await issuer.token(audience);
    expect(await oauth.identify(old)).toMatchObject({ kind: "known" });
    await issuer.rotate("second");
    const fresh = await issuer.token(audience);
    afterCoolDown();
    expect(await oauth.identify(fresh)).toMatchObject({ kind: "known" });
    expect(await oauth.identify(old)).toMatchObject({ kind: "refused" });
  });

  it("with unknown keys do not make us flood the issuer", async () => {
    const oauth = new OAuth(settingsFor(issuer));
    await oauth.identify(await issuer.token(audience));
    expect(issuer.asked).toBe(1);
    const tokens = await Promise.all(
      Array.from({ length: 40 }, (_, i) => foreignToken(usualClaims(issuer.url, audience), `k${i}`)),
    );
    for (const token of tokens) expect(await oauth.identify(token)).toMatchObject({ kind: "refused" });
    // A slow machine may reach the end of the cool-down once or twice.
    expect(issuer.asked).toBeLessThan(10);
  });

  it.each(["silent", "error", "huge", "nonsense", "elsewhere"] as const)(
    "can't be checked while the issuer is %s, and can afterwards",
    async (behaviour: Behaviour) => {
      issuer.behaviour = behaviour;
      const oauth = new OAuth(settingsFor(issuer));
      const token = await issuer.token(audience);
      expect(await oauth.identify(token)).toEqual({ kind: "unavailable" });
      const asked = issuer.asked;
      expect(await oauth.identify(token)).toEqual({ kind: "unavailable" });
      // Nobody asks again during the cool-down; a redirect is not followed.
      expect(asked).toBe(1);
      issuer.behaviour = "keys";
      afterCoolDown();
      expect(await oauth.identify(token)).toMatchObject({ kind: "known" });
    },
  );

  it("are checked with the keys that are known while the issuer is down", async () => {
    const oauth = new OAuth(settingsFor(issuer));
    const token = await issuer.token(audience);
    expect(await oauth.identify(token)).toMatchObject({ kind: "known" });
    issuer.close();
    expect(await oauth.identify(token)).toMatchObject({ kind: "known" });
    expect(await oauth.identify(await foreignToken(usualClaims(issuer.url, audience), "x"))).toMatchObject({
      kind: "refused",
    });
  });
});

describe("the settings of OAuth", () => {
  const good = { issuer: "https://issuer.example", jwks: "https://issuer.example/keys", audience };

  it("are none where no issuer is named", () => {
    expect(readOAuth({}, undefined)).toBeUndefined();
  });

  it("take the public address as audience", () => {
    const { audience: _, ...rest } = good;
    expect(readOAuth(rest, new URL(audience))).toMatchObject({
      audience,
      algorithms: expect.arrayContaining(["ES256"]),
    });
  });

  it.each([
    ["no issuer", { jwks: good.jwks }, "no issuer"],
    ["no keys", { ...good, jwks: undefined }, "oauth-jwks"],
    ["no audience", { ...good, audience: undefined }, "public-url"],
    ["an audience that is not an address", { ...good, audience: "verdict" }, "public-url"],
    ["keys without TLS", { ...good, jwks: "http://issuer.example/keys" }, "https"],
    ["keys in a file", { ...good, jwks: "file:///keys" }, "https"],
    ["a shared secret", { ...good, algorithms: "ES256,HS256" }, "HS256"],
    ["no signature", { ...good, algorithms: "none" }, "none"],
  ])("are refused: %s", (_, wishes, words) => {
    expect(() => readOAuth(wishes, undefined)).toThrow(words);
  });
});

describe("a server that accepts the tokens of an issuer", () => {
  const directory = scratchDirectory();
  const file = join(directory, "tokens.json");
  let issuer: Issuer;
  let server: HttpServer;
  let own_token: string;
  const metadata_url = "https://verdict.example/.well-known/oauth-protected-resource/mcp";
  beforeAll(async () => {
    issuer = await Issuer.open();
    own_token = await addToken(file, { name: "ann", scopes: ["solve"] }, new Deadline(60_000));
    const env = {
      VERDICT_Z3: quickest_z3,
      VERDICT_DATA: join(directory, "data"),
      VERDICT_OAUTH_ISSUER: issuer.url,
      VERDICT_OAUTH_JWKS: issuer.jwks,
    };
    server = await serveHttp(["--tokens", file, "--public-url", audience], env);
  });
  afterAll(async () => {
    await server.end();
    issuer.close();
  });

  const ask = (authorization?: string, body: object = {}, query = "") =>
    fetch(new URL(`/mcp${query}`, server.url), {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...(authorization !== undefined && { authorization }),
      },
      body: JSON.stringify(body),
    });
  const call = (name: string) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } });

  it.each(["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"])(
    "tells at %s whose tokens it takes",
    async (path) => {
      const answer = await fetch(new URL(path, server.url));
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({
        resource: audience,
        authorization_servers: [issuer.url],
        scopes_supported: ["solve", "symbolic", "lean", "admin"],
        bearer_methods_supported: ["header"],
        resource_name: "Verdict",
      });
    },
  );

  it.each(["legacy", "auto"] as const)("serves a client of the %s era, and keeps its state apart", async (era) => {
    const ann = await connectHttp(server.url, era, await issuer.token(audience));
    const namesake = await connectHttp(server.url, era, own_token);
    const names = (await ann.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("solve");
    expect(names).not.toContain("symbolic_check");
    const model = { model_id: `own-${era}` };
    await ann.callTool({ name: "clear_model", arguments: { ...model, language: "asp" } });
    expect((await ann.callTool({ name: "get_model", arguments: model })).isError ?? false).toBe(false);
    expect((await namesake.callTool({ name: "get_model", arguments: model })).isError).toBe(true);
    await ann.close();
    await namesake.close();
  });

  it("sends a client without a token to the issuer", async () => {
    const answer = await ask();
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer realm="verdict", scope="solve", resource_metadata="${metadata_url}"`,
    );
  });

  it("says why a token is not accepted", async () => {
    const answer = await ask(`Bearer ${await issuer.token(audience, { exp: now_s() - 60 })}`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer realm="verdict", error="invalid_token", error_description="the token has expired", resource_metadata="${metadata_url}"`,
    );
  });

  it("refuses a call that needs another scope, and names the scope", async () => {
    const token = await issuer.token(audience);
    const answer = await ask(`Bearer ${token}`, call("symbolic_check"));
    expect(answer.status).toBe(403);
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer realm="verdict", error="insufficient_scope", error_description="this needs the scope symbolic", scope="symbolic", resource_metadata="${metadata_url}"`,
    );
    const metrics = await fetch(new URL("/metrics", server.url), { headers: { authorization: `Bearer ${token}` } });
    expect(metrics.status).toBe(403);
  });

  it("refuses a token without any scope of ours", async () => {
    const answer = await ask(`Bearer ${await issuer.token(audience, { scope: "openid" })}`);
    expect(answer.status).toBe(403);
    expect(answer.headers.get("www-authenticate")).toContain('scope="solve"');
  });

  it("refuses a token in the address, also beside one in the header", async () => {
    const token = await issuer.token(audience);
    expect((await ask(undefined, {}, `?access_token=${token}`)).status).toBe(401);
    const both = await ask(`Bearer ${token}`, {}, `?access_token=${token}`);
    expect(both.status).toBe(400);
    expect(both.headers.get("www-authenticate")).toContain('error="invalid_request"');
  });

  it("refuses a token of Verdict's form that is not in its file, and one that is too long", async () => {
    expect((await ask(`Bearer ${own_token}x`)).status).toBe(401);
    expect((await ask(`Bearer ${"x".repeat(9_000)}`)).status).toBe(401);
  });

  it("lets a token with other scopes not use a session that has more", async () => {
    const opened = await ask(`Bearer ${await issuer.token(audience, { scope: "solve symbolic" })}`, {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    });
    const session = opened.headers.get("mcp-session-id") ?? "";
    expect(session).not.toBe("");
    const list = async (scope: string) => {
      const answer = await fetch(server.url, {
        method: "POST",
        headers: {
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          authorization: `Bearer ${await issuer.token(audience, { scope })}`,
          "mcp-session-id": session,
        },
        body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
      });
      await answer.text();
      return answer.status;
    };
    expect(await list("symbolic solve")).toBe(200);
    expect(await list("solve")).toBe(404);
  });

  it("writes no token to its log", async () => {
    const token = await issuer.token(audience, { sub: "logged" });
    await ask(`Bearer ${token}`, call("solve_smtlib"));
    expect(server.stderr()).not.toContain(token.slice(-40));
  });
});
