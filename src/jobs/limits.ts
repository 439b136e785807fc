/** Limits on jobs: how long they run and are kept, and how often they are checked. */
export const job_limits = {
  /**
   * The default time after which a call becomes a job: most clients time out after 60 s, so an answer at 45 s still
   * reaches them.
   */
  handover_ms_default: 45_000,
  /** The maximum time limit of a job. */
  timeout_ms_max: 24 * 3_600_000,
  /** The maximum wait of one `get_job` call, since clients time out after 60 s. */
  wait_s_max: 40,
  /** The default wait of a `get_job` call, so that a client need not poll repeatedly. */
  wait_s_default: 30,
  /**
   * The maximum size of a call, including its model, in the server's process; a larger call runs in a separate process.
   */
  call_chars_max: 8_000,
  /**
   * The length of an engine's answer above which a call is repeated in a separate process, if `again_share` of the time
   * limit is left: solving again takes as long as the first time.
   */
  answer_chars_max: 250_000,
  again_share: 2 / 3,
  /** A separate process exits at its call's time limit; if it is still reading then, it is killed after this time. */
  call_grace_ms: 5_000,
  /**
   * The maximum number of jobs on one server that are running or waiting for a processor; their questions are held in
   * memory.
   */
  running_max: 64,
  /**
   * The maximum number of one owner's finished jobs, and their total size in bytes; beyond these limits, the oldest
   * jobs are deleted.
   */
  kept_max: 1_000,
  kept_bytes_max: 256 * 1024 * 1024,
  /** The maximum total size of all owners' jobs in bytes; above it, each owner may keep an equal share. */
  kept_all_bytes_max: 4 * 1024 * 1024 * 1024,
  /** The interval at which all owners' jobs are checked, including those of owners who no longer connect. */
  sweep_all_ms: 3_600_000,
  /** The maximum time that a finished job is kept: one week. */
  kept_ms_max: 7 * 24 * 3_600_000,
  /** The minimum time that a job that ended here is kept, even if the clock was set forward. */
  kept_ms_min: 3_600_000,
  /** The minimum time between two checks of the limits, because each check examines all files. */
  sweep_ms_min: 60_000,
  /** The time after which parts of a job without a head, left behind by a killed server, are deleted. */
  orphan_ms_max: 3_600_000,
  /** The number of recent events kept for a job: a client that polls every minute misses none of a typical search. */
  events_max: 50,
  event_chars_max: 300,
  /** The minimum interval at which events are written to disk, where another server can read them. */
  note_ms_min: 1_000,
  /** The interval at which a server checks for requests to cancel its jobs, and for the end of another server's job. */
  poll_ms: 200,
  /** The maximum time that `cancel_job` waits for the job to end. */
  cancel_wait_ms_max: 5_000,
  /** The delay before a failed write of a result, for example on a full disk, is retried. */
  save_again_ms: 5_000,
  /** The interval at which a running job is touched; for a job on another machine, this is the only sign of life. */
  touch_ms: 10_000,
  untouched_ms_max: 60_000,
  /** The maximum time for which a server that restarts a job locks out other servers. */
  hold_ms_max: 10_000,
  hold_poll_ms: 20,
  /** The number of heads read at the same time. */
  read_at_once: 20,
  /** The maximum number of jobs in one list. */
  listed_max: 50,
} as const;
