import { expect } from "vitest";

/** A set of parts as the bits of a number. */
export type Mask = number;

export function maskOf(parts: readonly number[]): Mask {
  return parts.reduce((mask, part) => mask | (1 << part), 0);
}

export function sizeOf(mask: Mask): number {
  let size = 0;
  for (let rest = mask; rest > 0; rest &= rest - 1) size++;
  return size;
}

/** What is claimed about a family of parts: a core, and sets to drop. */
export interface Claimed {
  readonly core?: readonly number[] | undefined;
  readonly core_minimal?: boolean | undefined;
  readonly drop: readonly { readonly parts: readonly number[]; readonly proved: string }[];
  readonly drop_complete: boolean;
}

/** All minimal sets of parts to drop, by trying every subset. */
export function minimalCorrections(count: number, isSat: (kept: Mask) => boolean): Mask[] {
  const all = (1 << count) - 1;
  const helping = [...Array(all + 1).keys()].filter((dropped) => isSat(all & ~dropped));
  return helping.filter((mask) => !helping.some((other) => other !== mask && (other & mask) === other));
}

/** Compares claims with all subsets of the parts. */
export function expectTrue(claimed: Claimed, count: number, isSat: (kept: Mask) => boolean, about: string): void {
  const all = (1 << count) - 1;
  const minimal = minimalCorrections(count, isSat);
  const least = Math.min(...minimal.map(sizeOf));
  if (claimed.core) {
    const core = maskOf(claimed.core);
    expect(isSat(core), `${about}: the core has no solution`).toBe(false);
    if (claimed.core_minimal)
      for (const part of claimed.core)
        expect(isSat(core & ~(1 << part)), `${about}: part ${part} of the core is needed`).toBe(true);
  }
  for (const { parts, proved } of claimed.drop) {
    const dropped = maskOf(parts);
    expect(isSat(all & ~dropped), `${about}: dropping ${parts} helps`).toBe(true);
    if (proved !== "enough") expect(minimal, `${about}: ${parts} is minimal`).toContain(dropped);
    if (proved === "smallest") expect(parts.length, `${about}: ${parts} is smallest`).toBe(least);
  }
  const sizes = claimed.drop.map(({ parts }) => parts.length);
  expect(sizes, `${about}: the smallest come first`).toEqual(sizes.toSorted((a, b) => a - b));
  if (claimed.drop_complete)
    expect(new Set(claimed.drop.map(({ parts }) => maskOf(parts))), `${about}: all are listed`).toEqual(
      new Set(minimal),
    );
}
