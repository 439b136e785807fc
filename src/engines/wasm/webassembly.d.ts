/** The parts of the standard WebAssembly interface that are used here; Node's type library does not include them. */
declare namespace WebAssembly {
  type Exports = Readonly<Record<string, unknown>>;
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    readonly exports: Exports;
  }
  class Memory {
    constructor(form: { readonly initial: number });
    readonly buffer: ArrayBuffer;
  }
  class Table {
    constructor(form: { readonly element: "anyfunc"; readonly initial: number });
    set(index: number, value: unknown): void;
  }
}
