import type { PackageForm } from "../wasm/throwing_calls.ts";

/** What the embedded build is known by: names and forms in the package z3-solver 5.2.0. */
export const z3_package: PackageForm = {
  helpers: {
    save: "emscripten_stack_get_current",
    restore: "_emscripten_stack_restore",
    set_threw: "setThrew",
    table: "__indirect_function_table",
  },
  invoke:
    /^function invoke_\w+\([\w,]+\)\{var sp=stackSave\(\);try\{(?:return )?getWasmTableEntry\(index\)\([\w,]*\);\}catch\(e\)\{stackRestore\(sp\);if\(!\(e instanceof EmscriptenEH\)\)throw e;_setThrew\(1,0\);(?:return 0n;)?\}\}$/,
};
