export interface Example {
  readonly name: string;
  readonly text: string;
  readonly calls: readonly {
    readonly tool: string;
    readonly arguments: Record<string, unknown>;
    readonly answer: Record<string, unknown>;
  }[];
  readonly picture: { readonly file: string; readonly call: number } | undefined;
  readonly code: readonly string[];
}
export function examples(): Example[];
export function example(name: string, text: string): Example;
