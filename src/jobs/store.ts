import type { Question } from "../kernel/tool.ts";
import type { Ending, JobHead } from "./job.ts";

/** How much of a job exists. */
export type Found<Part> = { readonly part: Part } | "unreadable" | undefined;

/**
 * Where jobs are kept. What was written is read by any server that shares the store; ids are checked before they come
 * here. Writing raises the errors of the system, as on a full disk: the job then stays in the memory of its server.
 */
export interface JobStore {
  /**
   * Keeps a new job with its question; null is a question that nobody else can ask again. Another process sees it from
   * here on; it may be lost when the system fails within the next moment.
   */
  begin(head: JobHead, question: Question | null): Promise<void>;
  /** Stores changes; they may be lost if the system crashes. */
  note(head: JobHead): Promise<void>;
  /**
   * Keeps the ending, durably. Where a worker wrote one in the same state before, this is the answer as the server of the
   * job gives it; one in another state stays.
   */
  end(head: JobHead, ending: Ending): Promise<void>;
  head(id: string): Promise<Found<JobHead>>;
  /** An owner's most recently written or touched jobs, up to a limit; the latest first. */
  latest(owner: string, count: number): Promise<readonly JobHead[]>;
  question(id: string): Promise<Found<Question | null>>;
  ending(id: string): Promise<Found<Ending>>;
  /** Asks the server that runs a job to cancel it. */
  askCancel(id: string): Promise<void>;
  isCancelAsked(id: string): Promise<boolean>;
  /** Records that a running job still has its server. */
  touch(id: string): Promise<void>;
  /** When a job was last written or touched, by the clock of this process. */
  touched_ms(id: string): Promise<number | undefined>;
  /**
   * Lets one server at a time act on a job that has ended; false while another one does. A hold whose server died is over
   * after `hold_ms_max`.
   */
  hold(id: string): Promise<boolean>;
  release(id: string): Promise<void>;
  /** Deletes what is too old or too much; never running jobs, and none of these. */
  sweep(spared: ReadonlySet<string>, isRunning: (head: JobHead) => Promise<boolean>): Promise<void>;
}
