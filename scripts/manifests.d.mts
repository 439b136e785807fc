/** Each manifest of the repository, by its path. */
export function manifests(): Record<string, Record<string, unknown>>;

export interface ListedTool {
  readonly name: string;
  readonly description: string;
}

/** The manifest of the bundle for Claude Desktop. */
export function bundleManifest(tools: readonly ListedTool[]): Record<string, unknown>;
