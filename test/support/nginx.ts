import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "./ports.ts";

/** Debian keeps it where only root looks. */
const places = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"];

/** nginx, where it is installed. */
export const nginx = places.find((place) => existsSync(place));

/** The part of the configuration in docs/proxy.md that passes requests on, for a server at this port. */
export function documentedLocation(port: number): string {
  const page = readFileSync("docs/proxy.md", "utf8");
  const [, location] = /```nginx\n[\s\S]*?(^ {2}location \/ \{[\s\S]*?^ {2}\})/m.exec(page) ?? [];
  if (location === undefined) throw new Error("docs/proxy.md has no configuration for nginx");
  return location.replaceAll("127.0.0.1:8321", `127.0.0.1:${port}`);
}

export interface RunningProxy {
  /** Over TLS. */
  readonly url: URL;
  /** Without, for clients that know no certificate of ours. */
  readonly plain_url: URL;
  readonly certificate: string;
  readonly child: ChildProcess;
  close(): Promise<void>;
}

/** A real nginx with TLS in front of a server, as docs/proxy.md says, with a certificate of its own. */
export async function startNginx(directory: string, to: URL, name: string): Promise<RunningProxy> {
  if (nginx === undefined) throw new Error("nginx is not installed");
  mkdirSync(directory, { recursive: true });
  const certificate = [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", `/CN=${name}`],
    ...["-addext", `subjectAltName=DNS:${name},DNS:localhost`],
    ...["-keyout", join(directory, "key.pem"), "-out", join(directory, "certificate.pem")],
  ];
  const made = spawnSync("openssl", certificate, { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`no certificate: ${made.stderr}`);
  const [port, plain_port] = [await freePort(), await freePort()];
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const temporary = paths.map((each) => `${each}_temp_path ${join(directory, each)};`);
  writeFileSync(
    join(directory, "nginx.conf"),
    // Its workers write long bodies to a folder that only we can read.
    `${process.getuid?.() === 0 ? "user root;" : ""}
daemon off;
pid ${join(directory, "nginx.pid")};
error_log stderr warn;
events {}
http {
  access_log off;
  ${temporary.join("\n  ")}
  server {
  listen 127.0.0.1:${port} ssl;
  listen 127.0.0.1:${plain_port};
  server_name ${name};
  ssl_certificate ${join(directory, "certificate.pem")};
  ssl_certificate_key ${join(directory, "key.pem")};
${documentedLocation(Number(to.port))}
  }
}
`,
  );
  const child = spawn(nginx, ["-p", directory, "-c", join(directory, "nginx.conf")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr?.on("data", (piece: Buffer) => {
    stderr += piece.toString();
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url: new URL(`https://localhost:${port}${to.pathname}`),
    plain_url: new URL(`http://localhost:${plain_port}${to.pathname}`),
    certificate: join(directory, "certificate.pem"),
    child,
    close: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
