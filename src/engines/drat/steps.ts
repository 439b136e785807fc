/** One step of a proof: adds or deletes a clause, with its literals as written. */
export interface Step {
  readonly adds: boolean;
  readonly literals: readonly number[];
}

/** A malformed proof: the bytes at this position do not match the format. */
export class Malformed extends Error {
  override readonly name = "Malformed";
}

/** The largest variable number that solvers use. */
export const variable_max = 2 ** 31 - 1;

const letter = { a: 0x61, d: 0x64 } as const;

/**
 * Reads a proof in the binary DRAT format: `a` or `d`, then the literals, then 0. A literal is twice the variable, plus
 * one if negated, encoded in seven-bit groups. Raises `Malformed` if the proof is cut off or damaged.
 */
export function* readSteps(bytes: Uint8Array): Generator<Step> {
  let at = 0;
  /** Reads the number that starts at the current byte. */
  const number = (): number => {
    const begin = at;
    let value = 0;
    for (let factor = 1; factor <= 2 ** 28; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Malformed(`it ends inside a number that begins at byte ${begin}`);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw new Malformed(`the number at byte ${begin} is too long`);
  };
  while (at < bytes.length) {
    const begin = at;
    const kind = bytes[at++];
    if (kind !== letter.a && kind !== letter.d) throw new Malformed(`no step begins at byte ${begin}`);
    const literals: number[] = [];
    for (let code = number(); code !== 0; code = number()) {
      if (code < 2 || code > 2 * variable_max + 1)
        throw new Malformed(`byte ${at} ends a number that is not a literal`);
      literals.push(code % 2 === 0 ? code / 2 : -(code - 1) / 2);
    }
    yield { adds: kind === letter.a, literals };
  }
}
