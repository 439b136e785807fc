import { minizinc_package } from "./wasm_package.ts";

/**
 * The memory of the embedded MiniZinc before its first run. Every run starts from it: with the state of an earlier run,
 * the compiler mixes up names and types of its library, and Chuffed answers about both models.
 */
export class Snapshot {
  readonly #memory: WebAssembly.Memory;
  readonly #bytes: Uint8Array;
  readonly #stack: unknown;
  readonly #setStack: (stack: unknown) => void;

  /** For an instance that has run nothing yet. Raises an error if the package has other exports than expected. */
  constructor(exports: WebAssembly.Exports) {
    const { helpers } = minizinc_package;
    const memory = exports[minizinc_package.memory];
    const [save, restore] = [exports[helpers.save], exports[helpers.restore]];
    if (!(memory instanceof WebAssembly.Memory) || typeof save !== "function" || typeof restore !== "function")
      throw new Error("the package minizinc has other exports than expected");
    this.#memory = memory;
    this.#bytes = usedPart(memory.buffer);
    this.#stack = save();
    this.#setStack = (stack) => restore(stack);
  }

  /** The size of the memory in bytes. It never shrinks. */
  get size(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Restores the memory and the stack pointer; takes about 20 ms. */
  restore(): void {
    const all = new Uint8Array(this.#memory.buffer);
    all.set(this.#bytes);
    all.fill(0, this.#bytes.length);
    this.#setStack(this.#stack);
  }
}

/**
 * The bytes up to the last word that is not 0. A start waits for this, and a callback for each byte would take ten
 * times as long.
 */
function usedPart(buffer: ArrayBuffer): Uint8Array {
  const words = new Int32Array(buffer);
  let end = words.length;
  while (end > 0 && words[end - 1] === 0) end--;
  return new Uint8Array(buffer).slice(0, end * words.BYTES_PER_ELEMENT);
}
