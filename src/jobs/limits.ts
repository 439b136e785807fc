/** Bounds of jobs: how long they run and are kept, and how often they are looked at. */
export const job_limits = {
  /** Most clients give a call up after 60 s; an answer at 45 s still reaches them. */
  handover_ms_default: 45_000,
  /** The longest time limit of a job. */
  timeout_ms_max: 24 * 3_600_000,
  /** One call of `get_job` waits no longer: its client gives up after 60 s. */
  wait_s_max: 40,
  /** Without a wish it waits this long, so that a client need not ask again and again. */
  wait_s_default: 30,
  /** A call with more than this in its arguments, or in its model, is made in a process of its own. */
  call_chars_max: 8_000,
  /**
   * A call is made there, too, if the answer of an engine to one question is longer than this, and if this share of its
   * time limit is left: a second solve takes as long as the first one.
   */
  answer_chars_max: 250_000,
  again_share: 2 / 3,
  /** Such a process ends by itself at the time limit of its call; one that is still reading is ended after this time. */
  call_grace_ms: 5_000,
  /** Jobs of one server that run or wait for a processor, each with its question in memory. */
  running_max: 64,
  /** Finished jobs of one owner, and their bytes; past these bounds the oldest ones are deleted. */
  kept_max: 1_000,
  kept_bytes_max: 256 * 1024 * 1024,
  /** Bytes of the jobs of all owners together; past this each may keep an equal share. */
  kept_all_bytes_max: 4 * 1024 * 1024 * 1024,
  /** How often the jobs of all owners are looked at, also of those who do not come any more. */
  sweep_all_ms: 3_600_000,
  /** A finished job is kept for a week. */
  kept_ms_max: 7 * 24 * 3_600_000,
  /** A job that ended here is kept this long at least, also when the clock was set forward. */
  kept_ms_min: 3_600_000,
  /** How often the bounds are applied, at most: all files are looked at. */
  sweep_ms_min: 60_000,
  /** A part of a job without its head, which a killed server left, is deleted after this time. */
  orphan_ms_max: 3_600_000,
  /** The last events of a job: a client that asks every minute misses none of a usual search. */
  events_max: 50,
  event_chars_max: 300,
  /** Events are written to disk this often, so that another server shows them. */
  note_ms_min: 1_000,
  /** How often a server looks for a wish to cancel one of its jobs, and for the end of another server's job. */
  poll_ms: 200,
  /** How long `cancel_job` waits for the end of the job. */
  cancel_wait_ms_max: 5_000,
  /** A result that could not be written, as on a full disk, is written again after this time. */
  save_again_ms: 5_000,
  /** A running job is touched this often; where another machine runs it, this is the only sign of life. */
  touch_ms: 10_000,
  untouched_ms_max: 60_000,
  /** A server that starts a job again keeps the others from it no longer than this. */
  hold_ms_max: 10_000,
  hold_poll_ms: 20,
  /** Heads that are read at once. */
  read_at_once: 20,
  /** Jobs of one list. */
  listed_max: 50,
} as const;
