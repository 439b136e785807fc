import type { ItemLine } from "../language.ts";
import { shrink } from "./core.ts";
import type { Probed, Search } from "./probe.ts";

/** A removable part of a model: a statement, or one named case of it. */
export interface Part<Statement, Case> {
  readonly statement: Statement;
  readonly case?: Case;
}

/** Parts that together have no solution, and all the parts among which the search took place. */
export interface Narrowed<Each> {
  readonly all: readonly Each[];
  readonly parts: readonly Each[];
  /** False if a limit may have caused unnecessary parts to be kept. */
  readonly smallest: boolean;
}

/** How to ask whether a subset of the parts has a solution, and whether there is time to do so. */
export interface Narrowing<Each> extends Pick<Search, "monotone" | "hasTime"> {
  readonly probe: (kept: readonly Each[], all: readonly Each[]) => Promise<Probed["verdict"]>;
}

/** Leaves out parts as long as the remaining parts have no solution. */
export async function narrow<Each>(all: readonly Each[], narrowing: Narrowing<Each>): Promise<Narrowed<Each>> {
  const probe = async (kept: readonly Each[]) => ({ verdict: await narrowing.probe(kept, all) });
  const { parts, minimal } = await shrink(all, { ...narrowing, probe });
  return { all, parts, smallest: minimal || narrowing.hasTime() };
}

/** Leaves out cases of the narrowed statements; whole statements are kept if none could be left out in time. */
export async function narrowCases<Each>(
  statements: Narrowed<Each>,
  cases: readonly Each[],
  narrowing: Narrowing<Each>,
): Promise<Narrowed<Each>> {
  const left = new Set(statements.parts);
  // Statements that are not needed stay left out.
  const dropped = statements.all.filter((part) => !left.has(part));
  const all = [...dropped, ...cases];
  if (cases.length === statements.parts.length) return { ...statements, all, parts: cases };
  const narrowed = await narrow(cases, { ...narrowing, probe: (kept) => narrowing.probe(kept, all) });
  return narrowed.smallest || narrowed.parts.length < cases.length ? { ...narrowed, all } : statements;
}

/** Groups these parts by statement, in order. */
export function byStatement<Statement, Case>(
  parts: readonly Part<Statement, Case>[],
): Map<Statement, Part<Statement, Case>[]> {
  const groups = new Map<Statement, Part<Statement, Case>[]>();
  for (const part of parts) {
    const own = groups.get(part.statement);
    if (own) own.push(part);
    else groups.set(part.statement, [part]);
  }
  return groups;
}

/** Adds the names of these cases to a position. */
export function withCases(place: ItemLine, parts: readonly Part<unknown, { readonly name: string }>[]): ItemLine {
  const cases = [...new Set(parts.flatMap((part) => part.case?.name ?? []))];
  return cases.length > 0 ? { ...place, cases } : place;
}
