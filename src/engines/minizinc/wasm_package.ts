import type { PackageForm } from "../wasm/throwing_calls.ts";

/** What the embedded build is known by: names and forms in the package minizinc 4.5.1. */
export const minizinc_package: PackageForm & { readonly memory: string } = {
  memory: "kb",
  helpers: { save: "xb", restore: "vb", set_threw: "tb", table: "nb" },
  invoke:
    /^function\([\w$,]+\)\{var [\w$]+=[\w$]+\(\);try\{(?:return )?[\w$]+\(\w+\)\([\w$,]*\)\}catch\(\w+\)\{if\([\w$]+\([\w$]+\),!\(\w+ instanceof [\w$]+\)\)throw \w+;(?:[\w$]+\(1,0\)|return [\w$]+\(1,0\),0n)\}\}$/,
};
