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
    // What lies behind the last byte that is not 0 is 0 again after a restoration.
    const all = new Uint8Array(memory.buffer);
    this.#bytes = all.slice(0, all.findLastIndex((byte) => byte !== 0) + 1);
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
