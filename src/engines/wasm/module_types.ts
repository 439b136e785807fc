import { unless } from "../../kernel/unless.ts";
/**
 * Reads from a WebAssembly binary what the JavaScript interface does not show: the functions' types and the table's
 * size.
 */

export interface FunctionType {
  readonly params: readonly number[];
  readonly results: readonly number[];
}

export interface ModuleTypes {
  /** The types of imported functions by name, whichever module they are imported from. */
  readonly imports: ReadonlyMap<string, FunctionType>;
  /** The types of exported functions by name. */
  readonly exports: ReadonlyMap<string, FunctionType>;
  readonly table_size: number;
}

const section = { types: 1, imports: 2, functions: 3, table: 4, exports: 7 } as const;
const kinds = { function: 0, memory: 2 } as const;

/** The error for a binary that does not have the form that Emscripten writes. */
export class UnknownForm extends Error {}

/** Returns a module's types; undefined for a binary that does not have the form that Emscripten writes. */
export function typesOf(bytes: Uint8Array): ModuleTypes | undefined {
  return unless(UnknownForm, () => readModule(bytes));
}

function readModule(bytes: Uint8Array): ModuleTypes {
  const sections = new Map(sectionsOf(bytes));
  const list = <Item>(id: number, read: (from: Reader) => Item): Item[] => {
    const from = sections.get(id);
    if (!from) throw new UnknownForm(`the module has no section ${id}`);
    return Array.from({ length: from.number() }, () => read(from));
  };
  const types = list(section.types, (from) => {
    from.expect(0x60);
    return { params: [...from.bytes()], results: [...from.bytes()] };
  });
  const typeAt = (index: number): FunctionType => {
    const type = types[index];
    if (!type) throw new UnknownForm(`the module has no type ${index}`);
    return type;
  };
  const imported = list(section.imports, (from) => {
    from.text();
    const name = from.text();
    const kind = from.number();
    if (kind === kinds.function) return [[name, typeAt(from.number())] as const];
    if (kind !== kinds.memory) throw new UnknownForm(`the module imports something of kind ${kind}`);
    from.limits();
    return [];
  }).flat();
  const functions = [...imported.map(([, type]) => type), ...list(section.functions, (from) => typeAt(from.number()))];
  const [table_size = 0] = list(section.table, (from) => {
    from.expect(0x70);
    // The flags say whether a maximum follows; ignoring it is only possible for the last table.
    from.number();
    return from.number();
  });
  const exported = list(section.exports, (from) => ({ name: from.text(), kind: from.number(), index: from.number() }));
  const exports = exported.flatMap(({ name, kind, index }) => {
    const type = kind === kinds.function ? functions[index] : undefined;
    return type ? [[name, type] as const] : [];
  });
  return { imports: new Map(imported), exports: new Map(exports), table_size };
}

function* sectionsOf(bytes: Uint8Array): Generator<readonly [id: number, content: Reader]> {
  const reader = new Reader(bytes, 8);
  while (!reader.ended) {
    const id = reader.number();
    yield [id, new Reader(reader.bytes())];
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get ended(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Reads an unsigned LEB128 number. */
  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new UnknownForm("the module ends within a number");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  bytes(): Uint8Array {
    const size = this.number();
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }

  /** Skips a memory's size, and its maximum if the flags announce one. */
  limits(): void {
    const flags = this.number();
    this.number();
    if (flags % 2 === 1) this.number();
  }

  text(): string {
    return new TextDecoder().decode(this.bytes());
  }

  expect(byte: number): void {
    if (this.number() !== byte) throw new UnknownForm(`the module does not have the expected form at ${this.#at}`);
  }
}
