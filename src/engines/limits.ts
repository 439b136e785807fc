/** Limits specific to single engines; shared limits are in the kernel. */
export const engine_limits = {
  /** The minimum number of workers with which CP-SAT runs its whole portfolio of strategies. */
  cp_sat_workers_min: 8,
  /**
   * The maximum number of jobs, in any number of calls, that one process of an embedded engine runs; replacing it frees
   * whatever has accumulated.
   */
  kept_jobs_max: 100,
  /**
   * The maximum memory of an idle MiniZinc process that is kept: it starts with 32 MB, and a small model needs 64 MB.
   */
  minizinc_kept_bytes_max: 128 * 1024 * 1024,
  /** The maximum number of texts whose reading by MiniZinc is remembered, and the maximum length of each with its reading. */
  minizinc_readings_max: 16,
  minizinc_reading_chars_max: 100_000,
  /** The maximum memory of an idle embedded Z3 process that is kept; it starts with 220 MB. */
  z3_kept_bytes_max: 400 * 1024 * 1024,
  /**
   * The maximum memory of an idle embedded clingo process that is kept: it starts with 90 MB, and 100,000 facts need
   * 165 MB.
   */
  clingo_kept_bytes_max: 200 * 1024 * 1024,
  /**
   * The maximum time for a process to report whether it can serve another call; it usually takes half a millisecond.
   */
  z3_renew_ms_max: 500,
  /**
   * A spare process is started once a job has run this long; a shorter job returns its process before a spare could
   * start.
   */
  kept_refill_delay_ms: 1_000,
  /**
   * The maximum size of a compiled model that is read after the run: reading one of this size blocks the server for a
   * second or two.
   */
  minizinc_compiled_bytes_max: 32 * 1024 * 1024,
  /** The maximum number of elements for which a set given as ranges is expanded. */
  minizinc_set_elements_max: 10_000,
  /**
   * The maximum size of a proof, as written by its solver, that is checked; checking a proof of this size takes tens of
   * seconds.
   */
  proof_bytes_max: 32 * 1024 * 1024,
  /** The maximum memory of the proof checker, which needs about twenty times the size of the clauses and the proof. */
  proof_check_rss_bytes_max: 1536 * 1024 * 1024,
  /** The maximum length of one frame from a Python job: its result, which is at most 8 MiB, as JSON in ASCII. */
  python_frame_chars_max: 20 * 1024 * 1024,
  /**
   * The maximum time for a fork server to import its packages; on a busy machine with a cold disk, this takes seconds.
   */
  python_start_ms_max: 60_000,
  /** The maximum time that a call waits for a fork server to stop a job. */
  python_stop_ms_max: 300,
  /** The time after which a fork server that has not ended an abandoned job counts as hung, even on a busy machine. */
  python_lost_ms_max: 10_000,
  /**
   * The maximum time for checking a model, which normally takes milliseconds. The process limits its own CPU time; on a
   * busy machine, the elapsed time can be longer.
   */
  python_check_ms_max: 30_000,
  /**
   * The maximum number of threads in one job, since all processes on the machine share the thread ids. Engines start
   * one thread per processor.
   */
  python_threads_max: 1_000,
  python_threads_look_ms: 100,
  /**
   * The maximum time for reading a program without grounding it. Reading takes milliseconds, but starting clingo can
   * take seconds on a busy machine.
   */
  asp_check_ms_max: 30_000,
  /** The maximum number of interpreters that are started to identify them; each can take as long as a probe. */
  interpreters_asked_max: 12,
  /**
   * The maximum time for creating a private Python environment: up to 100 MB to download, possibly over a slow
   * connection.
   */
  python_setup_ms_max: 600_000,
  /** The interval at which a server checks a background setup's progress, which it reports to its client. */
  setup_poll_ms: 250,
  /** The delay before an environment that did not start is tried again; only then is it reported as broken. */
  environment_retry_ms: 500,
  /**
   * A native build is suggested after an answer that takes longer than this; a trivial answer takes less even on a busy
   * machine.
   */
  slow_ms: 15_000,
  /** The default timeout of a client: the socket timeout used by clients of the original tactic server. */
  tactic_timeout_ms_default: 30_000,
  /**
   * The margin before the client's timeout at which the daemon answers with what it has so far; a share of the timeout
   * if that is less.
   */
  tactic_last_word_ms: 500,
  tactic_last_word_share: 0.1,
  /**
   * The maximum time for the handshake; a daemon that takes longer counts as unresponsive, since its event loop is
   * never busy for long.
   */
  tactic_handshake_ms_max: 2_000,
  /** The interval at which a waiting call checks how much of the model has been loaded. */
  tactic_look_ms: 1_000,
  /**
   * The maximum time for starting the daemon: usually half a second, but 10 s or more with twenty busy programs on the
   * machine.
   */
  tactic_start_ms_max: 60_000,
  /** The maximum time for a daemon to exit on request before it is killed. */
  tactic_stop_ms_max: 5_000,
  /** The maximum time that an exiting daemon waits for llama.cpp to free a model. */
  tactic_let_go_ms_max: 500,
  /**
   * The maximum size of a request, which contains one or a few proof states; the original daemon has the same limit.
   */
  tactic_request_bytes_max: 1024 * 1024,
  /** The maximum size of an answer, which contains at most a few hundred tactics of at most 2,048 tokens. */
  tactic_reply_bytes_max: 8 * 1024 * 1024,
  tactic_connections_max: 128,
  /**
   * A connection is closed after being idle for this long; `tactic_unread_ms_max` applies if the client does not read.
   */
  tactic_connection_idle_ms_max: 600_000,
  tactic_unread_ms_max: 30_000,
  /** The maximum number of requests waiting for the model, each with its proof state. */
  tactic_waiting_max: 64,
  tactic_state_chars_max: 100_000,
  tactic_chars_max: 10_000,
  /**
   * The maximum number of suggestions: the original protocol allows 1 to 10, and its authors' search uses 4 to 16 per
   * node.
   */
  tactic_suggestions_max: 32,
  tactic_suggestions_default: 5,
  tactic_temperature_max: 2,
  tactic_temperature_default: 0.7,
  /** The maximum number of tokens per tactic; the model's authors use 2,048. */
  tactic_tokens_max: 2_048,
  tactic_tokens_default: 128,
  tactic_batch_max: 16,
  tactic_rivals_max: 32,
  /** The maximum number of further sampling rounds to replace suggestions lost to repetition and filters. */
  tactic_more_rounds_max: 2,
  /** The share of a request's time that is reserved for scoring. */
  tactic_score_share: 0.15,
  /** The number of most likely tokens to sample from; the others have almost no probability, and cost time. */
  tactic_top_k: 64,
  /**
   * A prompt is read in pieces that each take about this long, since a cancellation is noticed only between two pieces.
   */
  tactic_piece_ms: 100,
  tactic_piece_tokens_first: 64,
  tactic_piece_tokens_min: 8,
  tactic_piece_tokens_max: 512,
  tactic_context_tokens_default: 4_096,
  /** The minimum context size; the context sizes in llama.cpp are multiples of this number. */
  tactic_context_tokens_min: 256,
  /** The maximum number of sequences sampled in parallel, if the cache has room for them. */
  tactic_sequences_max: 8,
  tactic_cache_bytes_max: 1024 ** 3,
  /** The maximum share of the machine's memory for a model with its cache. */
  tactic_memory_share: 0.9,
  /** The maximum time for loading a model, which can be a file of many GB on a slow disk. */
  tactic_load_ms_max: 600_000,
  /** The maximum time for installing llama.cpp: 30 MB to download, possibly over a slow connection. */
  tactic_install_ms_max: 600_000,
  /**
   * The default number of seconds after which an unused model is unloaded; after hours without use, the daemon exits.
   */
  tactic_idle_s_default: 900,
  tactic_leave_ms_max: 12 * 3_600_000,
  /** The number of samples that identify a model file, since reading the whole file would take a minute. */
  tactic_samples: 64,
  tactic_sample_bytes: 32 * 1024,
  /** The maximum number of cached answers; the most recently used ones are kept. */
  tactic_answers_kept_max: 2_000,
  tactic_answers_chars_max: 16_000_000,
  /** The number of most recent requests from which percentiles are computed. */
  tactic_times_kept_max: 1_000,
  /** The delay before metrics are written, so that many are written at once. */
  tactic_log_ms: 200,
  /** The size at which a new metrics log is started; the previous log is kept. */
  tactic_log_bytes_max: 4 * 1024 * 1024,
  /** The maximum size of a remote model's answer, which contains the text of a few tactics. */
  tactic_http_bytes_max: 8 * 1024 * 1024,
  /** The maximum number of simultaneous calls to a remote model for one request. */
  tactic_http_at_once: 4,
  /**
   * The maximum time for a model server to answer at its root address, which may include loading a model; after that,
   * it counts as not running.
   */
  tactic_greeting_ms_max: 10_000,
  /** The number of times that a server checks whether it is the only client of a daemon with other settings. */
  tactic_alone_looks: 5,
  /** The number of requests after which the REPL's process is restarted, since it never frees a proof state. */
  lean_repl_requests_max: 2_000,
  /** The maximum length of a reply, which contains the goals of a proof state or the messages about a file. */
  lean_repl_reply_chars_max: 4 * 1024 * 1024,
  /** The maximum size of a data file. */
  table_file_bytes_max: 50_000_000,
  /** The maximum total size of a workbook's parts after unpacking. */
  table_unpacked_bytes_max: 80_000_000,
  /** The maximum number of columns, as in spreadsheet programs. */
  table_columns_max: 16_384,
  /** The maximum length of a file's values as JSON, the form in which a solver gets them. */
  table_chars_max: 12_000_000,
  table_heap_mb_max: 1_024,
  table_rss_bytes_max: 1_500_000_000,
  table_ms_max: 60_000,
} as const;
