import { helpers } from "./wasm_invoke.ts";

/**
 * The memory of the embedded MiniZinc as it was before its first run. Every run begins in it: with what a run leaves
 * behind the compiler mixes up names and types of its library, and Chuffed answers about the models of both.
 */
export class Snapshot {
  readonly #memory: WebAssembly.Memory;
  readonly #bytes: Uint8Array;
  readonly #stack: unknown;
  readonly #setStack: (stack: unknown) => void;

  /** Of an instance that has run nothing yet. Raises an error where the package has other exports than expected. */
  constructor(exports: WebAssembly.Exports) {
    const memory = exports[helpers.memory];
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

  /** Makes the memory and the stack what they were: some 20 ms. */
  restore(): void {
    const all = new Uint8Array(this.#memory.buffer);
    all.set(this.#bytes);
    all.fill(0, this.#bytes.length);
    this.#setStack(this.#stack);
  }
}

/** The bytes up to the last word that is not 0; a start waits for this, and a call for each byte would take ten times as long. */
function usedPart(buffer: ArrayBuffer): Uint8Array {
  const words = new Int32Array(buffer);
  let end = words.length;
  while (end > 0 && words[end - 1] === 0) end--;
  return new Uint8Array(buffer).slice(0, end * words.BYTES_PER_ELEMENT);
}
