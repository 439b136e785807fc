/** Something that the prover does not model: which construct, and on which line. No claim is made then. */
export class Unsupported extends Error {
  override readonly name = "Unsupported";
  readonly construct: string;
  readonly line: number;

  constructor(construct: string, line: number) {
    super(`${construct} on line ${line}`);
    this.construct = construct;
    this.line = line;
  }
}
