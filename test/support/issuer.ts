import { createServer, type Server } from "node:http";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

export type Algorithm = "ES256" | "RS256" | "EdDSA";

interface Key {
  readonly kid: string;
  readonly algorithm: Algorithm;
  readonly private_key: CryptoKey;
  readonly public_key: CryptoKey;
}

/** What the issuer answers to who asks for its keys. */
export type Behaviour = "keys" | "silent" | "error" | "huge" | "nonsense" | "elsewhere";

/** An OAuth issuer: real keys, real signatures, and a real server for its public keys. */
export class Issuer {
  readonly url: string;
  behaviour: Behaviour = "keys";
  /** How often its keys were asked for. */
  asked = 0;
  readonly #server: Server;
  #keys: Key[] = [];

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async open(): Promise<Issuer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const issuer = new Issuer(server, typeof address === "object" && address ? address.port : 0);
    server.on("request", (_, response) => {
      issuer.asked++;
      const { behaviour } = issuer;
      if (behaviour === "silent") return;
      if (behaviour === "error") response.writeHead(500).end();
      else if (behaviour === "huge") response.end(`{"keys":[],"more":"${"x".repeat(1024 * 1024)}"}`);
      else if (behaviour === "nonsense") response.end('{"keys":7}');
      else if (behaviour === "elsewhere") response.writeHead(302, { location: `${issuer.url}/other` }).end();
      else void issuer.#publicKeys().then((keys) => response.end(JSON.stringify({ keys })));
    });
    await issuer.rotate("first");
    return issuer;
  }

  get jwks(): string {
    return `${this.url}/jwks`;
  }

  /** From now on it has this one key. */
  async rotate(kid: string, algorithm: Algorithm = "ES256"): Promise<void> {
    this.#keys = [await makeKey(kid, algorithm)];
  }

  async add(kid: string, algorithm: Algorithm): Promise<void> {
    this.#keys.push(await makeKey(kid, algorithm));
  }

  /** The public key that it had last, as its set of keys has it. */
  async publicKey() {
    return (await this.#publicKeys()).at(-1);
  }

  /** A signed token: for `audience`, of `sub`, valid for an hour, unless claims say otherwise; undefined drops one. */
  async token(audience: string, claims: Record<string, unknown> = {}, kid?: string): Promise<string> {
    const key = kid === undefined ? this.#keys[0] : this.#keys.find((each) => each.kid === kid);
    if (!key) throw new Error("the issuer has no such key");
    return signed({ ...usualClaims(this.url, audience), ...claims }, key);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #publicKeys() {
    return Promise.all(
      this.#keys.map(async ({ public_key, kid, algorithm }) => ({
        ...(await exportJWK(public_key)),
        kid,
        alg: algorithm,
        use: "sig",
      })),
    );
  }
}

/** The seconds that the clock shows. */
export const now_s = () => Math.floor(Date.now() / 1000);

/** The claims of a token that is accepted. */
export function usualClaims(issuer: string, audience: string) {
  return { iss: issuer, aud: audience, sub: "ann", scope: "solve", iat: now_s(), exp: now_s() + 3_600 };
}

/** A token that somebody else signs, with a key of their own. */
export async function foreignToken(payload: JWTPayload, kid: string): Promise<string> {
  return signed(payload, await makeKey(kid, "ES256"));
}

function signed(payload: JWTPayload, { algorithm, kid, private_key }: Key): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg: algorithm, kid }).sign(private_key);
}

async function makeKey(kid: string, algorithm: Algorithm): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  return { kid, algorithm, private_key: privateKey, public_key: publicKey };
}
