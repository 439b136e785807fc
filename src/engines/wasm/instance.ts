import type { ModuleTypes } from "./module_types.ts";
import { makeShim, type PackageForm } from "./throwing_calls.ts";

type Functions = Readonly<Record<string, unknown>>;

/**
 * Instantiates a module of a package, with calls of throwing functions made in WebAssembly if the package has the
 * expected form. The imports are the package's functions; `as` gives them the form that the module imports them in.
 */
export function instanceOf(
  module: WebAssembly.Module,
  {
    types,
    package_imports,
    form,
  }: { readonly types: ModuleTypes | undefined; readonly package_imports: Functions; readonly form: PackageForm },
  as: (functions: Functions) => Readonly<Record<string, Functions>>,
): WebAssembly.Instance {
  const shim = types && makeShim(types, package_imports, form);
  const instance = new WebAssembly.Instance(module, as(shim?.imports ?? package_imports));
  shim?.connect(instance.exports);
  return instance;
}
