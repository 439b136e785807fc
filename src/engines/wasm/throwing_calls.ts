import type { FunctionType, ModuleTypes } from "./module_types.ts";

/**
 * Emscripten builds call C++ code that can throw through JavaScript: from the module to an `invoke_*` function, to the
 * table, and back to the module, several hundred thousand times per model. Here, WebAssembly's own exception
 * instructions make these calls, so that a call that does not throw never leaves WebAssembly.
 */

type Imports = Readonly<Record<string, unknown>>;

/** The facts about a package that are needed to replace its calls. */
export interface PackageForm {
  /** The names, in the package, of the exported stack and exception functions and of the exported table. */
  readonly helpers: Readonly<Record<"save" | "restore" | "set_threw" | "table", string>>;
  /**
   * Matches the source of the package's `invoke_*` functions, without spaces around punctuation: save the stack, call a
   * table entry, and restore the stack on a throw.
   */
  readonly invoke: RegExp;
}

/** Returns a function's source without spaces around punctuation. */
export function withoutSpaces(call: unknown): string {
  return String(call).replaceAll(/\s*([^\w\s$])\s*/g, "$1");
}

const i32 = 0x7f;
const helper_types = {
  save: { params: [], results: [i32] },
  restore: { params: [i32], results: [] },
  set_threw: { params: [i32, i32], results: [] },
} as const;

export interface Shim {
  /** The imports that the module gets instead of the package's. */
  readonly imports: Imports;
  /** The number of replaced functions. */
  readonly replaced: number;
  /** Connects the functions to the module's table; must be called before any of the module's code runs. */
  connect(exports: WebAssembly.Exports): void;
}

/**
 * Creates the shim for a module; undefined if the package has an unexpected form, with which the module works unchanged
 * but more slowly.
 */
export function makeShim(
  types: ModuleTypes,
  package_imports: Imports,
  { helpers, invoke }: PackageForm,
): Shim | undefined {
  const isSame = (name: string, type: FunctionType) => JSON.stringify(types.exports.get(name)) === JSON.stringify(type);
  if (!isSame(helpers.save, helper_types.save) || !isSame(helpers.restore, helper_types.restore)) return undefined;
  if (!isSame(helpers.set_threw, helper_types.set_threw)) return undefined;
  const invokes = [...types.imports].filter(([name]) => invoke.test(withoutSpaces(package_imports[name])));
  if (invokes.length === 0) return undefined;

  let thrown: unknown;
  // A C++ exception has a pointer to the thrown object; program exits and JavaScript errors do not.
  const isException = () => {
    const is = typeof thrown === "object" && thrown !== null && "excPtr" in thrown;
    thrown = undefined;
    return is ? 1 : 0;
  };
  const watched = Object.entries(package_imports).map(([name, original]) => {
    if (typeof original !== "function" || !/\bthrow\b/.test(String(original))) return [name, original] as const;
    const watching = (...args: unknown[]): unknown => {
      try {
        return original(...args);
      } catch (error) {
        thrown = error;
        throw error;
      }
    };
    return [name, watching] as const;
  });
  const table = new WebAssembly.Table({ element: "anyfunc", initial: types.table_size + 3 });
  const module = new WebAssembly.Module(shimModule(invokes, types.table_size));
  const exports = new WebAssembly.Instance(module, { shim: { table, isException } }).exports;
  return {
    imports: { ...Object.fromEntries(watched), ...exports },
    replaced: invokes.length,
    connect(exports) {
      const copy = new WebAssembly.Module(copyModule(types.table_size));
      new WebAssembly.Instance(copy, { shim: { to: table, from: exports[helpers.table] ?? table } });
      table.set(types.table_size, exports[helpers.save]);
      table.set(types.table_size + 1, exports[helpers.restore]);
      table.set(types.table_size + 2, exports[helpers.set_threw]);
    },
  };
}

/**
 * Instantiates a package's module; if the package has the expected form, throwing functions are called in WebAssembly.
 * The imports are the package's functions; `as` arranges them as the module imports them.
 */
export function instanceOf(
  module: WebAssembly.Module,
  {
    types,
    package_imports,
    form,
  }: { readonly types: ModuleTypes | undefined; readonly package_imports: Imports; readonly form: PackageForm },
  as: (functions: Imports) => Readonly<Record<string, Imports>>,
): WebAssembly.Instance {
  const shim = types && makeShim(types, package_imports, form);
  const instance = new WebAssembly.Instance(module, as(shim?.imports ?? package_imports));
  shim?.connect(instance.exports);
  return instance;
}

/**
 * Builds a module with one function per import; all of them use one table, whose last three entries are the helpers.
 */
function shimModule(invokes: readonly (readonly [string, FunctionType])[], size: number): Uint8Array<ArrayBuffer> {
  const { save, restore, set_threw } = helper_types;
  const targets = invokes.map(([, { params, results }]) => ({ params: params.slice(1), results }));
  const types = [save, restore, set_threw, ...targets, ...invokes.map(([, type]) => type)];
  const first_own = 3 + targets.length;
  return moduleOf(
    sectionOf(1, types.map(typeCode)),
    sectionOf(2, [
      [...text("shim"), ...text("table"), 0x01, 0x70, 0x00, ...leb(size + 3)],
      [...text("shim"), ...text("isException"), 0x00, 0],
    ]),
    sectionOf(
      3,
      invokes.map((_, i) => leb(first_own + i)),
    ),
    sectionOf(
      7,
      invokes.map(([name], i) => [...text(name), 0x00, ...leb(i + 1)]),
    ),
    sectionOf(
      10,
      invokes.map(([, type], i) => sized(bodyOf(type, 3 + i, size))),
    ),
  );
}

const code = {
  if: 0x04,
  try: 0x06,
  rethrow: 0x09,
  end: 0x0b,
  call: 0x10,
  call_indirect: 0x11,
  catch_all: 0x19,
  get: 0x20,
  set: 0x21,
  i32_const: 0x41,
  i32_eqz: 0x45,
  empty: 0x40,
} as const;

/** The code for a zero of each number type, which is the result of a call that threw and is never read. */
const zeros: Readonly<Record<number, readonly number[]>> = {
  127: [0x41, 0],
  126: [0x42, 0],
  125: [0x43, 0, 0, 0, 0],
  124: [0x44, 0, 0, 0, 0, 0, 0, 0, 0],
};

/** Builds the body of one function; its first parameter is the table index, and the others are the arguments. */
function bodyOf({ params, results }: FunctionType, target_type: number, size: number): number[] {
  const stack = leb(params.length);
  const entry = (type: number, place: readonly number[]) => [...place, code.call_indirect, ...leb(type), 0];
  const helper = (type: 0 | 1 | 2) => entry(type, [code.i32_const, ...signedLeb(size + type)]);
  const [result] = results;
  return [
    ...[1, 1, i32],
    ...[...helper(0), code.set, ...stack],
    ...[code.try, result ?? code.empty],
    ...params.slice(1).flatMap((_, i) => [code.get, ...leb(i + 1)]),
    ...entry(target_type, [code.get, 0]),
    code.catch_all,
    ...[code.get, ...stack, ...helper(1)],
    // Anything other than a C++ exception is passed on to the callers.
    ...[code.call, 0, code.i32_eqz, code.if, code.empty, code.rethrow, 1, code.end],
    ...[code.i32_const, 1, code.i32_const, 0, ...helper(2)],
    ...(result === undefined ? [] : (zeros[result] ?? [])),
    code.end,
    code.end,
  ];
}

/** Builds a module that copies one table into another when it is instantiated. */
function copyModule(size: number): Uint8Array<ArrayBuffer> {
  const table = (name: string) => [...text("shim"), ...text(name), 0x01, 0x70, 0x00, 0];
  const copy = [code.i32_const, 0, code.i32_const, 0, code.i32_const, ...signedLeb(size), 0xfc, 14, 0, 1, code.end];
  return moduleOf(
    sectionOf(1, [typeCode({ params: [], results: [] })]),
    sectionOf(2, [table("to"), table("from")]),
    sectionOf(3, [[0]]),
    [8, 1, 0],
    sectionOf(10, [sized([0, ...copy])]),
  );
}

function moduleOf(...sections: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flat()]);
}

function sectionOf(id: number, items: readonly (readonly number[])[]): number[] {
  return [id, ...sized([...leb(items.length), ...items.flat()])];
}

function sized(bytes: readonly number[]): number[] {
  return [...leb(bytes.length), ...bytes];
}

function typeCode({ params, results }: FunctionType): number[] {
  return [0x60, ...sized(params), ...sized(results)];
}

function text(letters: string): number[] {
  return sized([...new TextEncoder().encode(letters)]);
}

/** Encodes an unsigned number in LEB128. */
function leb(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...leb(Math.floor(value / 128))];
}

/** Encodes a non-negative number in signed LEB128, which needs one more bit, a 0. */
function signedLeb(value: number): number[] {
  return value < 64 ? [value] : [(value % 128) + 128, ...signedLeb(Math.floor(value / 128))];
}
