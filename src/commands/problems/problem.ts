/** A problem of the demo: a script for `solve_smtlib`, a model that is built item by item, or a question about code. */
export type Problem = { readonly title: string } & (
  | { readonly kind: "script"; readonly args: { readonly smtlib: string } & Record<string, unknown> }
  | {
      readonly kind: "model";
      readonly language: string;
      readonly items: readonly string[];
      /** Options of the solve. */
      readonly options?: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "code"; readonly tool: string; readonly args: { readonly code: string } & Record<string, unknown> }
);
