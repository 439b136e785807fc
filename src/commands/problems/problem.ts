/** A demo problem: a script for `solve_smtlib`, a model built item by item, or a question about code. */
export type Problem = { readonly title: string } & (
  | { readonly kind: "script"; readonly args: { readonly smtlib: string } & Record<string, unknown> }
  | {
      readonly kind: "model";
      readonly language: string;
      readonly items: readonly string[];
      /** Options for the call of `solve`. */
      readonly options?: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "code"; readonly tool: string; readonly args: { readonly code: string } & Record<string, unknown> }
);
