/** Limits of single engines; shared limits are in the kernel. */
export const engine_limits = {
  /** CP-SAT runs its whole portfolio from this number of workers on. */
  cp_sat_workers_min: 8,
  /** Jobs of one process of an embedded engine, in several calls: whatever accumulates in it is gone after this number. */
  kept_jobs_max: 100,
  /** The memory of an idle MiniZinc: it starts with 32 MB, and a small model needs 64. */
  minizinc_kept_bytes_max: 128 * 1024 * 1024,
  /** The memory of an idle embedded Z3: it starts with 220 MB. */
  z3_kept_bytes_max: 400 * 1024 * 1024,
  /** The memory of an idle embedded clingo: it starts with 90 MB, and 100,000 facts need 165. */
  clingo_kept_bytes_max: 200 * 1024 * 1024,
  /** How long a call waits for the word of its process whether that can serve another one: mostly half a millisecond. */
  z3_renew_ms_max: 500,
  /** A job that runs this long gets a spare process; a shorter one returns its process before a spare could start. */
  kept_refill_delay_ms: 1_000,
  /** A compiled model that is read, after the run: one of this size takes a second or two, in which the server does nothing else. */
  minizinc_compiled_bytes_max: 32 * 1024 * 1024,
  /** A larger set, given as ranges, is not expanded. */
  minizinc_set_elements_max: 10_000,
  /** A proof that is checked, as its solver wrote it: one of this size takes its checker tens of seconds. */
  proof_bytes_max: 32 * 1024 * 1024,
  /** The checker needs about twenty times the size of clauses and proof. */
  proof_check_rss_bytes_max: 1536 * 1024 * 1024,
  /** One frame of a Python job: its result, of at most 8 MiB, as JSON in ASCII. */
  python_frame_chars_max: 20 * 1024 * 1024,
  /** A fork server makes its imports; on a busy machine with a cold disk that takes seconds. */
  python_start_ms_max: 60_000,
  /** How long a call waits for a fork server to stop a job. */
  python_stop_ms_max: 300,
  /** A process that has not ended such a job by then, even on a busy machine, hangs. */
  python_lost_ms_max: 10_000,
  /** Checking a model takes milliseconds. The process bounds its processor time itself; a busy machine can need longer. */
  python_check_ms_max: 30_000,
  /** Threads of one job: all processes of the machine share the numbers for them. Engines start one for a processor. */
  python_threads_max: 1_000,
  python_threads_look_ms: 100,
  /** Reading a program without grounding it takes milliseconds, and starting clingo for it seconds on a busy machine. */
  asp_check_ms_max: 30_000,
  /** Interpreters that are started to identify them; each can take as long as a probe. */
  interpreters_asked_max: 12,
  /** Making a private Python environment: up to 100 MB to download, possibly over a slow connection. */
  python_setup_ms_max: 600_000,
  /** How often a server checks the progress of a setup in the background, which it reports to its client. */
  setup_poll_ms: 250,
  /** An environment that did not start is tried again after this long, before it is called broken. */
  environment_retry_ms: 500,
  /** An answer that takes longer than this is worth an installation. Trivial ones take less on a busy machine, too. */
  slow_ms: 15_000,
  /** The socket timeout of the original tactic server's clients. */
  tactic_timeout_ms_default: 30_000,
  /**
   * The daemon answers this long before its client gives up, with what it has by then; a share of the time if that is
   * less.
   */
  tactic_last_word_ms: 500,
  tactic_last_word_share: 0.1,
  /** A daemon that does not shake hands in this time does not respond: its loop is never busy for long. */
  tactic_handshake_ms_max: 2_000,
  /** How often a call that waits looks how far the loading of the model is. */
  tactic_look_ms: 1_000,
  /** A daemon starts in half a second; with twenty busy programs on the machine it takes 10 s or more. */
  tactic_start_ms_max: 60_000,
  /** How long a daemon may take to exit on request before it is killed. */
  tactic_stop_ms_max: 5_000,
  /** How long an exiting daemon waits for llama.cpp to free a model. */
  tactic_let_go_ms_max: 500,
  /** A request has one proof state or a few; the original daemon accepts no longer lines. */
  tactic_request_bytes_max: 1024 * 1024,
  /** An answer has at most some hundred tactics of at most 2,048 tokens. */
  tactic_reply_bytes_max: 8 * 1024 * 1024,
  tactic_connections_max: 128,
  /** A connection that is idle for this long is closed; so is one whose client does not read. */
  tactic_connection_idle_ms_max: 600_000,
  tactic_unread_ms_max: 30_000,
  /** Requests that wait for the model, each with its state. */
  tactic_waiting_max: 64,
  tactic_state_chars_max: 100_000,
  tactic_chars_max: 10_000,
  /** The original protocol has 1 to 10; the search of its authors takes 4 to 16 per node. */
  tactic_suggestions_max: 32,
  tactic_suggestions_default: 5,
  tactic_temperature_max: 2,
  tactic_temperature_default: 0.7,
  /** The model's authors use 2,048. */
  tactic_tokens_max: 2_048,
  tactic_tokens_default: 128,
  tactic_batch_max: 16,
  tactic_rivals_max: 32,
  /** Further rounds of samples, for suggestions that were lost to repetition and filters. */
  tactic_more_rounds_max: 2,
  /** Share of a request's time that is kept for scores. */
  tactic_score_share: 0.15,
  /** Tokens from which samples are drawn: the others have almost no probability, and cost time. */
  tactic_top_k: 64,
  /**
   * Tokens of a prompt that are read at once: as many as the machine reads in this time, since a cancel is noticed
   * between two pieces.
   */
  tactic_piece_ms: 100,
  tactic_piece_tokens_first: 64,
  tactic_piece_tokens_min: 8,
  tactic_piece_tokens_max: 512,
  tactic_context_tokens_default: 4_096,
  /** llama.cpp's contexts are multiples of it. */
  tactic_context_tokens_min: 256,
  /** Sequences that are sampled side by side, as many as their part of the cache fits. */
  tactic_sequences_max: 8,
  tactic_cache_bytes_max: 1024 ** 3,
  /** Share of the machine's memory that a model with its cache can take. */
  tactic_memory_share: 0.9,
  /** Loading a file of many GB from a slow disk. */
  tactic_load_ms_max: 600_000,
  /** llama.cpp is a 30 MB download, possibly over a slow connection. */
  tactic_install_ms_max: 600_000,
  /** A model that was unused for this long is unloaded; after hours the daemon exits. */
  tactic_idle_s_default: 900,
  tactic_leave_ms_max: 12 * 3_600_000,
  /** Samples identify a model's file: reading all of it takes a minute. */
  tactic_samples: 64,
  tactic_sample_bytes: 32 * 1024,
  /** The number of cached answers, most recently used. */
  tactic_answers_kept_max: 2_000,
  tactic_answers_chars_max: 16_000_000,
  /** The number of requests from which percentiles are computed. */
  tactic_times_kept_max: 1_000,
  /** Metrics are written this long after the first of them, many at once. */
  tactic_log_ms: 200,
  /** Past this size a new metrics log is started; the previous one is kept. */
  tactic_log_bytes_max: 4 * 1024 * 1024,
  /** A remote model answers with the text of some tactics. */
  tactic_http_bytes_max: 8 * 1024 * 1024,
  /** Calls to a remote model at the same time, for one request. */
  tactic_http_at_once: 4,
  /** If a model's server does not answer at its root for this long, it is not running; it may be loading a model. */
  tactic_greeting_ms_max: 10_000,
  /** How often a server checks whether it is the only client of a daemon with other settings. */
  tactic_alone_looks: 5,
  /** The REPL never frees a state, so its process is restarted after this many. */
  lean_repl_requests_max: 2_000,
  /** One reply holds the goals of a state, or the messages of a file. */
  lean_repl_reply_chars_max: 4 * 1024 * 1024,
  /** A data file. */
  table_file_bytes_max: 50_000_000,
  /** The parts of a workbook, unpacked. */
  table_unpacked_bytes_max: 80_000_000,
  /** The maximum of a spreadsheet program's sheet. */
  table_columns_max: 16_384,
  /** The values of a file as JSON: what a solver gets. */
  table_chars_max: 12_000_000,
  table_heap_mb_max: 1_024,
  table_rss_bytes_max: 1_500_000_000,
  table_ms_max: 60_000,
} as const;
