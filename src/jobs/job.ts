import { randomBytes } from "node:crypto";
import * as z from "zod/v4";
import { FAULT_CODES, Fault, toFault } from "../kernel/fault.ts";
import type { Answer } from "../kernel/tool.ts";

/** An event in a job: a better solution or a new step. */
export const Event = z.object({
  /** The event's number, counted from 0 in each job. */
  number: z.int(),
  at_s: z.number(),
  text: z.string(),
});
export type Event = z.output<typeof Event>;

/** Identifies the server that runs a job, so that others can check whether it is alive. */
const ServerName = z.object({
  /** A random id, which is different for each process. */
  id: z.string(),
  /** The machine, including its boot id and its pid namespace. */
  host: z.string(),
  pid: z.int(),
  /** The process's start time, in the system's own unit; null if the system does not report it. */
  started: z.number().nullable(),
});
export type ServerName = z.output<typeof ServerName>;

/**
 * `interrupted` is written only when the job is restarted. Until then, readers infer it for a running job whose server
 * is gone.
 */
export const states = ["running", "done", "failed", "cancelled", "interrupted"] as const;

/** What is known about a job without its question and its answer. */
export const JobHead = z.object({
  version: z.literal(1),
  id: z.string(),
  /** The job's owner; nobody else can find the job. */
  owner: z.string(),
  tool: z.string(),
  state: z.enum(states),
  server: ServerName,
  /** The creation time on the system clock, in ms. */
  created_ms: z.number(),
  ended_ms: z.number().nullable(),
  /** The running time, measured by the job's own server, because the system clock may be changed while a job runs. */
  ran_s: z.number(),
  doing: z.string(),
  best_so_far: z.string().nullable(),
  events: z.array(Event),
  /** The job that was started to answer the same question again. */
  restarted_as: z.string().nullable(),
});
export type JobHead = z.output<typeof JobHead>;

const Position = z.object({ item: z.int().optional(), line: z.int(), column: z.int() });

/** A fault as data. */
export const StoredFault = z.object({
  code: z.enum(FAULT_CODES),
  message: z.string(),
  steps: z.array(z.string()),
  position: Position.optional(),
  details: z.record(z.string(), z.unknown()),
});
export type StoredFault = z.output<typeof StoredFault>;

/** The result of a job: an answer or a fault, never both. */
export type Ending = { readonly answer: Answer } | { readonly fault: StoredFault };

/** Converts a thrown value to data. */
export function storedFault(thrown: unknown): StoredFault {
  const { code, message, steps, position, details } = toFault(thrown);
  return { code, message, steps: [...steps], ...(position && { position }), details };
}

/** Restores a fault from data. */
export function faultOf({ code, message, steps, position, details }: StoredFault): Fault {
  if (!position) return new Fault(code, message, steps, undefined, details);
  const { item, line, column } = position;
  return new Fault(code, message, steps, { ...(item !== undefined && { item }), line, column }, details);
}

/** The state of a job with a given ending. */
export function stateOf(ending: Ending): JobHead["state"] {
  if ("answer" in ending) return "done";
  return ending.fault.code === "cancelled" ? "cancelled" : "failed";
}

/** The characters in an id: 32 lower-case letters and digits that are not easily confused. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";
const id_chars = 20;
const id_form = new RegExp(`^j[${alphabet}]{${id_chars}}$`);

/** Returns a new id with 100 random bits, which can't be guessed. */
export function freshId(): string {
  return `j${[...randomBytes(id_chars)].map((byte) => alphabet[byte % alphabet.length]).join("")}`;
}

/** Whether a string can be an id. Anything else never becomes part of a path. */
export function isId(text: string): boolean {
  return id_form.test(text);
}
