/**
 * The machine code that V8 made of a WebAssembly module, kept in a file. This side runs in the processes of the embedded
 * engines; `code_cache.ts` is the server's side. V8 believes what it reads: other bytes than it wrote make it crash, or
 * worse. So the file begins with a checksum over everything that it depends on, and nothing of it is read unless that is
 * right.
 */
import { createHash } from "node:crypto";
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, cpus } from "node:os";
import { setFlagsFromString } from "node:v8";

const checksum_bytes = 32;

type Bytes = Uint8Array<ArrayBuffer>;

/** V8's own functions for this; undefined in a Node that does not have them. */
interface CodeFunctions {
  write(module: WebAssembly.Module): unknown;
  read(code: ArrayBuffer, wasm: Bytes): unknown;
}

/** V8 compares its flags with those of the writer, so readers and writers switch this on. */
function codeFunctions(): CodeFunctions | undefined {
  setFlagsFromString("--allow-natives-syntax");
  try {
    const write = new Function("module", "return %SerializeWasmModule(module)");
    const read = new Function("code", "wasm", "return %DeserializeWasmModule(code, wasm)");
    return { write: (module) => write(module), read: (code, wasm) => read(code, wasm) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Counts the changes of the flags that our hosts set, to which V8 ties its code. */
const flags_version = 2;

/** What the code depends on besides the module. Part of the checksum, and of the file's name. */
export function machineOf(): string {
  return [flags_version, process.version, process.versions.v8, process.platform, arch(), cpus()[0]?.model ?? ""].join(
    "|",
  );
}

/** The module with the code in a file; undefined if there is no such file or it can't be trusted. */
export function readCode(file: string, wasm: Bytes): WebAssembly.Module | undefined {
  const stored = ownFile(file);
  if (!stored) return undefined;
  const code = stored.subarray(checksum_bytes);
  if (!checksum(code, wasm).equals(stored.subarray(0, checksum_bytes))) {
    rmSync(file, { force: true });
    return undefined;
  }
  // A copy of its own: V8 takes a whole ArrayBuffer.
  const module = codeFunctions()?.read(new Uint8Array(code).buffer, wasm);
  return module instanceof WebAssembly.Module ? module : undefined;
}

/** Writes the code of a module to a new file. Raises the system's errors. */
export function writeCode(file: string, wasm: Bytes, code: ArrayBuffer): void {
  const bytes = new Uint8Array(code);
  const descriptor = openSync(file, "wx", 0o600);
  try {
    writeFileSync(descriptor, checksum(bytes, wasm));
    writeFileSync(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The code that V8 has made so far of a module; undefined where V8 does not give it. */
export function codeOf(module: WebAssembly.Module): ArrayBuffer | undefined {
  const code = codeFunctions()?.write(module);
  return code instanceof ArrayBuffer ? code : undefined;
}

function checksum(code: Uint8Array, wasm: Uint8Array): Buffer {
  const hash = createHash("sha256").update(machineOf()).update(createHash("sha256").update(wasm).digest());
  return hash.update(code).digest();
}

/** The contents of a file that nobody but this user can have written. */
function ownFile(file: string): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch {
    // Not there, or not readable: then there is no code.
    return undefined;
  }
  try {
    const { uid, mode } = fstatSync(descriptor);
    const is_own = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return is_own ? readFileSync(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}
