// Links that add the server to a client by one click. Each has the configuration in its address.
import { readFileSync } from "node:fs";

/** The link of each client that has such links. */
export function installLinks() {
  const { name } = JSON.parse(readFileSync("package.json", "utf8"));
  const server = { command: "npx", args: ["-y", name] };
  const json = encodeURIComponent(JSON.stringify(server));
  const base64 = encodeURIComponent(Buffer.from(JSON.stringify(server)).toString("base64"));
  return [
    link("VS Code", `https://insiders.vscode.dev/redirect/mcp/install?name=verdict&config=${json}`),
    link("Cursor", `https://cursor.com/en/install-mcp?name=verdict&config=${base64}`),
  ];
}

function link(client, url) {
  return { client, url, markdown: `[Add to ${client}](${url})` };
}
