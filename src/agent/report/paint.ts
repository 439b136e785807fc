export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly red: (text: string) => string;
}

/** Colours for a terminal, or none. */
export function paints(is_coloured: boolean): Paint {
  const paint = (code: number, end: number) => (text: string) =>
    is_coloured ? `\u001b[${code}m${text}\u001b[${end}m` : text;
  return { bold: paint(1, 22), dim: paint(2, 22), green: paint(32, 39), yellow: paint(33, 39), red: paint(31, 39) };
}
