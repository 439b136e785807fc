/** Limits of jobs: how long they run and are kept, and how often they are checked. */
export const job_limits = {
  /** Most clients time out after 60 s; an answer at 45 s still reaches them. */
  handover_ms_default: 45_000,
  /** The longest time limit of a job. */
  timeout_ms_max: 24 * 3_600_000,
  /** The longest wait of one `get_job` call: clients time out after 60 s. */
  wait_s_max: 40,
  /** The default wait, so that a client need not poll repeatedly. */
  wait_s_default: 30,
  /** A call with larger arguments or a larger model runs in a separate process. */
  call_chars_max: 8_000,
  /**
   * A call also runs there if an engine's answer to one question is longer than this, and if this share of its
   * time limit is left: a second solve takes as long as the first one.
   */
  answer_chars_max: 250_000,
  again_share: 2 / 3,
  /** Such a process exits at its call's time limit; one that is still reading is killed after this time. */
  call_grace_ms: 5_000,
  /** Jobs of one server that run or wait for a processor, each with its question held in memory. */
  running_max: 64,
  /** Finished jobs of one owner, and their bytes; past these bounds the oldest ones are deleted. */
  kept_max: 1_000,
  kept_bytes_max: 256 * 1024 * 1024,
  /** The total size of all owners' jobs in bytes; above it each owner may keep an equal share. */
  kept_all_bytes_max: 4 * 1024 * 1024 * 1024,
  /** How often the jobs of all owners are checked, including owners who no longer connect. */
  sweep_all_ms: 3_600_000,
  /** A finished job is kept for a week. */
  kept_ms_max: 7 * 24 * 3_600_000,
  /** A job that ended here is kept at least this long, even if the clock was set forward. */
  kept_ms_min: 3_600_000,
  /** The limits are applied at most this often, because all files are examined. */
  sweep_ms_min: 60_000,
  /** Parts of a job without a head, left by a killed server, are deleted after this time. */
  orphan_ms_max: 3_600_000,
  /** The number of recent events kept for a job: a client that polls every minute misses none of a typical search. */
  events_max: 50,
  event_chars_max: 300,
  /** Events are written to disk this often, so that another server shows them. */
  note_ms_min: 1_000,
  /** How often a server checks for requests to cancel its jobs, and for the end of another server's job. */
  poll_ms: 200,
  /** How long `cancel_job` waits for the end of the job. */
  cancel_wait_ms_max: 5_000,
  /** A failed write of a result, as on a full disk, is retried after this time. */
  save_again_ms: 5_000,
  /** A running job is touched this often; if another machine runs it, this is the only sign of life. */
  touch_ms: 10_000,
  untouched_ms_max: 60_000,
  /** A server that restarts a job locks the others out for at most this time. */
  hold_ms_max: 10_000,
  hold_poll_ms: 20,
  /** How many heads are read at once. */
  read_at_once: 20,
  /** The number of jobs in one list. */
  listed_max: 50,
} as const;
