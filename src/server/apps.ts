import { readFile } from "node:fs/promises";
import { CLIENT_CAPABILITIES_META_KEY, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod/v4";

/** The protocol extension with which hosts show a server's pages (MCP Apps, revision 2026-01-26). */
export const apps_extension = "io.modelcontextprotocol/ui";
const mime_type = "text/html;profile=mcp-app";
const solution_uri = "ui://verdict/solution";

/** The tools whose answers the solution view can draw. */
const drawn: ReadonlySet<string> = new Set([
  ...["solve", "solve_model", "get_solution", "check_plan"],
  ...["symbolic_check", "find_path_to_exception", "compare_functions", "analyze_branches"],
]);

const Capable = z.looseObject({
  extensions: z.looseObject({ [apps_extension]: z.looseObject({ mimeTypes: z.array(z.string()).optional() }) }),
});
const Envelope = z.looseObject({ [CLIENT_CAPABILITIES_META_KEY]: Capable });

/**
 * Whether this request's host shows a server's pages. Clients of the 2025 revisions declare this once; clients of the
 * 2026 revision declare it with each request.
 */
export function showsApps({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  const in_request = Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY];
  const capable = in_request ?? Capable.safeParse(server.getClientCapabilities()).data;
  const { mimeTypes } = capable?.extensions[apps_extension] ?? {};
  return capable !== undefined && (mimeTypes === undefined || mimeTypes.includes(mime_type));
}

/** Returns the additional metadata in a tool's listing for a host that shows pages. */
export function viewOf(tool: string): { readonly ui: { readonly resourceUri: string } } | undefined {
  return drawn.has(tool) ? { ui: { resourceUri: solution_uri } } : undefined;
}

/** Adds the page that draws solutions. */
export function addSolutionView(server: McpServer, file: string): void {
  const _meta = { ui: { prefersBorder: true, csp: { connectDomains: [], resourceDomains: [] } } };
  server.registerResource("solution", solution_uri, { title: "A solution", mimeType: mime_type }, async () => ({
    contents: [{ uri: solution_uri, mimeType: mime_type, text: await readFile(file, "utf8"), _meta }],
  }));
}
