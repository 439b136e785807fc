import type { Values } from "../language.ts";
import type { Change } from "./mutants.ts";

/** Computes all values from the atoms of an answer set, in a language whose values follow from the atoms. */
export type ValuesOfAtoms = (atoms: readonly string[]) => Values;

/** Matches the name of an atom and its terms: strings, numbers and constants. */
const term = /"(?:[^"\\]|\\.)*"|-?\b\d+\b|[\w']+/g;

interface Atom {
  /** The text before each term, and after the last one. */
  readonly between: readonly string[];
  readonly terms: readonly (string | number)[];
}

/** The atoms of an answer set, as rows of terms per predicate, so that single terms can be changed. */
export class Atoms {
  readonly #atoms: ReadonlyMap<string, readonly Atom[]>;
  readonly #valuesOf: ValuesOfAtoms;

  private constructor(texts: readonly string[], valuesOf: ValuesOfAtoms) {
    const atoms = new Map<string, Atom[]>();
    for (const text of texts) {
      const [name = "", ...terms] = text.match(term) ?? [];
      const [before = "", ...between] = text.split(term);
      const head = `${before}${name}${between[0] ?? ""}`;
      const atom = { between: [head, ...between.slice(1)], terms: terms.map(termOf) };
      const known = atoms.get(name);
      if (known) known.push(atom);
      else atoms.set(name, [atom]);
    }
    this.#atoms = atoms;
    this.#valuesOf = valuesOf;
  }

  /** Returns undefined for values that have no atoms. */
  static of({ atoms }: Values, valuesOf: ValuesOfAtoms): Atoms | undefined {
    const texts = Array.isArray(atoms) ? atoms.filter((each) => typeof each === "string") : [];
    return texts.length > 0 ? new Atoms(texts, valuesOf) : undefined;
  }

  get rows(): Record<string, unknown[]> {
    return Object.fromEntries([...this.#atoms].map(([name, atoms]) => [name, atoms.map(({ terms }) => terms)]));
  }

  /** Returns all values after changes to rows. A change replaces a single term, or removes rows from a list. */
  changed(changes: readonly Change[]): Change[] {
    const atoms = [...this.#atoms].flatMap(([name, all]) =>
      all.flatMap(({ between, terms }, i) => {
        const own = changes.filter(({ path }) => path[0] === name && (path.length === 1 || path[1] === i));
        const is_left_out = own.some(({ path, to }) => path.length === 1 && Array.isArray(to) && !to.includes(terms));
        const now = terms.map((each, k) => own.find(({ path }) => path[2] === k)?.to ?? each);
        return is_left_out ? [] : [between.map((part, k) => `${part}${k < now.length ? String(now[k]) : ""}`).join("")];
      }),
    );
    return [{ path: [], to: this.#valuesOf([...new Set(atoms)]) }];
  }
}

function termOf(text: string): string | number {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}
