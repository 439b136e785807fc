import type { Question } from "../kernel/tool.ts";
import type { Ending, JobHead } from "./job.ts";

/** A part of a stored job: found, unreadable, or missing. */
export type Found<Part> = { readonly part: Part } | "unreadable" | undefined;

/**
 * Where jobs are kept. Every server that shares the store can read what one server wrote. Callers check ids first.
 * Writing raises the system's errors, for example on a full disk: the job then stays in its server's memory.
 */
export interface JobStore {
  /**
   * Stores a new job with its question; null means that no other process can ask the question again. Other processes
   * see the job from now on. The job may be lost if the system crashes soon afterwards.
   */
  begin(head: JobHead, question: Question | null): Promise<void>;
  /** Stores changes to a job. They may be lost if the system crashes. */
  note(head: JobHead): Promise<void>;
  /**
   * Stores the ending durably. It replaces an ending that a worker wrote with the same state, because the job's server
   * may have changed the answer. An ending with a different state is not replaced.
   */
  end(head: JobHead, ending: Ending): Promise<void>;
  head(id: string): Promise<Found<JobHead>>;
  /** Returns an owner's most recently written or touched jobs, at most `count`, the latest first. */
  latest(owner: string, count: number): Promise<readonly JobHead[]>;
  question(id: string): Promise<Found<Question | null>>;
  ending(id: string): Promise<Found<Ending>>;
  /** Asks the server that runs a job to cancel it. */
  askCancel(id: string): Promise<void>;
  isCancelAsked(id: string): Promise<boolean>;
  /** Records that a running job still has its server. */
  touch(id: string): Promise<void>;
  /** Returns when a job was last written or touched, by this process's clock. */
  touched_ms(id: string): Promise<number | undefined>;
  /**
   * Lets only one server at a time act on an ended job. Returns false while another server holds it. If the holder
   * dies, its hold expires after `hold_ms_max`.
   */
  hold(id: string): Promise<boolean>;
  release(id: string): Promise<void>;
  /** Deletes old and surplus jobs, but never running jobs and never those in `spared`. */
  sweep(spared: ReadonlySet<string>, isRunning: (head: JobHead) => Promise<boolean>): Promise<void>;
}
