/** What the server sends: a line that begins the next job, or text of the job that runs. */
export type Part = { readonly kind: "next" } | { readonly kind: "text"; readonly text: string };

/**
 * Cuts the input of a process into jobs. Its first line is the word by which the server begins each job, a line that no
 * script can guess. Only whole lines are given out: all that the server sends ends with one.
 */
export class JobStream {
  #word: string | undefined;
  #rest = "";

  /** What begins a job, with the end of its line; empty before the first job. */
  get word(): string {
    return this.#word ?? "";
  }

  /** What this piece of input completes. */
  take(piece: string): Part[] {
    const end = piece.lastIndexOf("\n") + 1;
    if (end === 0) {
      this.#rest += piece;
      return [];
    }
    const lines = this.#rest + piece.slice(0, end);
    this.#rest = piece.slice(end);
    this.#word ??= lines.slice(0, lines.indexOf("\n") + 1);
    const [first = "", ...jobs] = lines.split(this.#word);
    return [textOf(first), ...jobs.map((text) => [{ kind: "next" } as const, textOf(text)])]
      .flat()
      .filter((part) => part.kind === "next" || part.text !== "");
  }
}

function textOf(text: string): Part {
  return { kind: "text", text };
}
