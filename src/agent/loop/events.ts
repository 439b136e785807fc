import type { CallRecord } from "../evidence/calls.ts";
import type { Checked } from "../evidence/checked.ts";
import type { Language } from "../languages.ts";
import type { Role } from "./budget.ts";

/** What happens while a question is being answered, for display or for saving. */
export type Event =
  | { readonly kind: "route"; readonly language: Language; readonly why: string; readonly is_change: boolean }
  | { readonly kind: "thought"; readonly role: Role; readonly text: string }
  | { readonly kind: "call"; readonly role: Role; readonly record: CallRecord }
  | { readonly kind: "refused"; readonly role: Role; readonly text: string }
  | { readonly kind: "step"; readonly role: Role; readonly ms: number; readonly input: number; readonly output: number }
  /** The formal model of an answer, before its review. */
  | { readonly kind: "model"; readonly language: Language; readonly text: string }
  /** The result of the checker written from the problem alone. */
  | ({ readonly kind: "checker" } & Checked)
  | { readonly kind: "review"; readonly result: string; readonly reasons: readonly string[] };

export type Emit = (event: Event) => void;
