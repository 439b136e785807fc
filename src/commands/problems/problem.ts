/** A problem of the demo: a script for `solve_smtlib`, or a model that is built item by item. */
export type Problem = { readonly title: string } & (
  | { readonly kind: "script"; readonly args: { readonly smtlib: string } & Record<string, unknown> }
  | { readonly kind: "model"; readonly language: string; readonly items: readonly string[] }
);
