/** The numbers and atoms of a grounded program, read line by line. */
export class Ground {
  #largest = 0;
  readonly #at = new Map<string, number>();
  readonly #atoms = new Map<string, Set<string>>();

  line(text: string): void {
    let rest = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, opaque);
    for (const [number] of rest.matchAll(/(?<![\w'])\d+/g)) this.#largest = Math.max(this.#largest, Number(number));
    for (let before = ""; before !== rest; ) {
      before = rest;
      rest = rest.replaceAll(/([a-z_][\w']*)?\(([^()]*)\)/g, (term, name: string | undefined, inside: string) => {
        if (name !== undefined) this.#atom(name, inside);
        return opaque(term);
      });
    }
  }

  #atom(name: string, inside: string): void {
    const atoms = this.#atoms.get(name) ?? new Set();
    this.#atoms.set(name, atoms.add(inside));
    for (const [i, term] of inside.split(",").entries()) {
      const key = `${name}/${i}`;
      const size = /^-?\d+$/.test(term) ? Math.abs(Number(term)) : 1;
      this.#at.set(key, Math.max(this.#at.get(key) ?? 0, size));
    }
  }

  /** The largest number in the grounded program. */
  get largest(): number {
    return this.#largest;
  }

  /** The largest number at an argument position of a predicate; undefined if the predicate has no atoms. */
  largestAt(name: string, place: number): number | undefined {
    return this.#at.get(`${name}/${place}`);
  }

  /** The number of atoms that a predicate has. */
  atomsOf(name: string): number {
    return this.#atoms.get(name)?.size ?? 0;
  }
}

/** Makes a term or string opaque by replacing each of its brackets, commas and digits with a private-use character. */
function opaque(text: string): string {
  return text.replaceAll(/[(),\d]/g, (char) => String.fromCharCode(0xe000 + char.charCodeAt(0)));
}
