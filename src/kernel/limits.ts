/** Every limit and default in one place, unit last, each with its reason. */
export const limits = {
  /** Source 000 fixes the range and the default of `timeout_ms`. */
  timeout_ms_min: 1,
  timeout_ms_max: 600_000,
  timeout_ms_default: 30_000,

  /** Reading 2 MiB keeps the server busy for half a second and takes some 100 MB for that time. */
  script_chars_max: 2 * 1024 * 1024,
  /** Shorter scripts are read before they wait for a solver, so that a slip is told at once. */
  script_read_early_chars_max: 20_000,

  /** Raw output of one solver. Past it the solver is stopped: nobody reads more than this. */
  stdout_bytes_max: 8 * 1024 * 1024,
  stderr_bytes_max: 64 * 1024,

  /** Text in one answer. Hosts cut at some 25,000 tokens, and a cut by a host says nothing. */
  answer_chars_max: 60_000,
  transcript_entries_max: 500,

  /** Resident memory of one solver with its children; the WASM heap ends at 2 GiB by itself. */
  solver_rss_bytes_max: 4 * 1024 ** 3,
  /** Share of that limit at which a native Z3 stops by itself, with a clear last word. */
  solver_soft_memory_share: 0.9,
  memory_poll_ms: 100,
  /** `ps` costs a process, so systems without /proc are looked at less often. */
  memory_poll_by_ps_ms: 500,

  /** Solvers at once: one a core, since each keeps one core busy. */
  solvers_at_once_max: 8,
  /** Calls that may wait for a solver, each with its script. The next one is refused instead of filling memory. */
  calls_waiting_max: 64,
  /** A spare makes the next call fast; a second one would only hold memory. */
  spares_max: 1,
  /** A spare that nobody took is let go: the WASM build holds some 100 MB. */
  spare_idle_ms_max: 300_000,

  /** A start takes a core for a while; the job that took the spare goes first. */
  spare_refill_delay_ms: 50,

  /** A probe asks a program for its version; a program that does not answer is not used. */
  probe_ms_max: 5_000,
  /** Our own embedded builds and Python's engines do answer; on a machine with twenty busy programs they take 10 s. */
  own_probe_ms_max: 30_000,

  /** Solutions in one answer; more of them nobody reads. */
  solutions_max: 1_000,

  /** MiniZinc is to end by itself so long before the deadline, with its last word on bounds; a share where that is less. */
  minizinc_last_word_ms: 300,
  minizinc_last_word_share: 0.25,
  /** Whether rounding alone allows a solution takes Z3 no longer than this share of the rest: a proof comes after it. */
  minizinc_refute_share: 0.25,
  /** A check takes a fifth of a second; a model that keeps the compiler longer than this is refused. */
  minizinc_check_ms_max: 60_000,
  /** One question of the search for a conflict: so long, or this share of the rest of the call where that is more. */
  minizinc_conflict_probe_ms: 2_000,
  minizinc_conflict_probe_share: 0.1,
  /** Other solvers that an answer names as worth a try. */
  solvers_named_max: 3,
  /** A set of more elements, told by its ranges, is not written out. */
  minizinc_set_elements_max: 10_000,

  /** One message of a client. The largest argument is a script of 2 MiB, which escapes make longer. */
  message_bytes_max: 10 * 1024 * 1024,
  /** The two ends of a longer one, where its id may be found. */
  message_edge_bytes: 4_096,
  /** Code that goes through a value calls itself for each level; no argument needs more than some ten. */
  message_depth_max: 100,
  /** Requests of one batch that are refused one by one. */
  batch_refusals_max: 1_000,

  /** A client that asked for progress hears something this often. */
  heartbeat_ms: 5_000,
  /** News, such as better and better solutions, follow each other no faster: who reads them pays for each. */
  news_ms_min: 200,

  /** One frame of a Python job: its result, of at most 8 MiB, as JSON in ASCII. */
  python_frame_chars_max: 20 * 1024 * 1024,
  /** A fork server makes its imports; on a busy machine with a cold disk that takes seconds. */
  python_start_ms_max: 60_000,
  /** How long a fork server may take to end a job that is over before it is ended itself. */
  python_stop_ms_max: 300,
  /** Checking a model takes milliseconds; a text that keeps Python's parser longer is refused. */
  python_check_ms_max: 10_000,

  /** Reading a program without grounding it takes milliseconds; one that takes longer than this is refused. */
  asp_check_ms_max: 10_000,
  /** Finding which constraints conflict comes after the answer, which nobody should wait for much longer. */
  asp_conflict_ms_max: 5_000,

  /** Interpreters that are asked who they are; each may take as long as a probe. */
  interpreters_asked_max: 12,
  /** Making the private Python environment: 45 MB to download, over a slow line too. */
  python_setup_ms_max: 600_000,
  /** A wait for a turn that is shorter than this explains no timeout. */
  wait_told_ms_min: 1_000,
  /** How often a server looks how far a setup in the background is: its client is told of progress. */
  setup_poll_ms: 250,
  /** An environment that did not start is tried again after this long, before it is called broken. */
  environment_retry_ms: 500,
  /** What failed (a search for Python, a setup) is told again for this long before it is tried again. */
  retry_ms: 30_000,

  /** A line of somebody else's words in a fault: enough to recognise it, too little to drown the rest. */
  fault_quote_chars_max: 300,

  /** A lock is touched this often while it is held. */
  lock_touch_ms: 1_000,
  /** A lock that was not touched for this long was left by a process that is gone. Ten touches: machines stall. */
  lock_stale_ms: 10_000,
  /** How often who waits for a lock looks again: what it guards is written in milliseconds, mostly. */
  lock_poll_ms: 20,

  /** One question of a proof, which asks hundreds: what is not decided in this time mostly never is. */
  prover_query_ms_max: 2_000,
  /** The same for one goal among many. */
  prover_single_query_ms_max: 500,
  /** A proof works on terms for so long at a stretch; then the process attends to its other calls. */
  prover_turn_ms_max: 15,
  /** A function is read as terms in one stretch; two hundred branches were seen to take 120 ms. */
  prover_stretch_ms_max: 500,
  /** Questions with known answers take milliseconds, natively; the embedded build warms itself with them. */
  prover_canary_ms_max: 5_000,
  /** Z3 minds its own time limit only now and then; it is killed so long after it. */
  prover_grace_ms: 500,

  /** Minimising a core asks the solver again and again; this bounds one such question. */
  minimise_probe_ms_max: 5_000,
  /** Most cores are there sooner; after that a run without cores goes beside, which costs a process. */
  core_alone_ms: 1_000,
  /** How long an unsat that is known already waits for its core. */
  core_wait_ms_max: 5_000,

  /** Item models in one server; past these bounds the one that was not used for the longest time goes. */
  models_max: 200,
  /** Text of all of them with their last solutions: two bytes a character at most. */
  models_chars_max: 20_000_000,
  /** A model that nobody touched for a day belongs to a conversation that is over. */
  model_idle_ms_max: 24 * 3_600_000,
  /** Hundreds of items are usual in a large model; each change is checked against all of them. */
  items_max: 2_000,
  /** As the MCP-Solver project has it: an item is a piece of a model, not a data file. */
  item_chars_max: 100_000,
  model_chars_max: 1_000_000,
  /** Values of a last solution that are kept for `get_solution`, as JSON. */
  solution_chars_max: 1_000_000,
  /** Changes that may wait for the one before them, each with its item. */
  changes_waiting_max: 256,
  /** A check takes milliseconds, but the very first one may wait for its engine to be installed. */
  change_ms_max: 300_000,
  model_id_chars_max: 64,
  /** Steps of a fault about habits of other languages: more of them hide each other. */
  habits_told_max: 3,
  /** Refused items that a model remembers, each by its beginning: enough to see what is missing. */
  refused_items_max: 20,
  refused_item_chars_max: 200,
  /** Names and ids that a fault lists: enough to choose from, and still readable. */
  names_listed_max: 20,
  /** Values of one answer, as JSON: they stand in it twice, as `model` and as `values`. */
  answer_values_chars_max: 20_000,
  /** Several solutions as lines of text; the other ones are read with get_solution. */
  solutions_text_chars_max: 8_000,
  /** Each of what the program printed, the warnings and the statistics in one answer. */
  answer_lines_chars_max: 15_000,
  /** A conflict among more places than these is not read one by one. */
  unsat_items_max: 200,
  unsat_item_chars_max: 500,

  /** Source 002 names no bound: as much as for any other tool, in seconds. */
  symbolic_timeout_s_max: 600,
  /** A function and what it calls; a whole program is not explored anyway. */
  symbolic_code_bytes_max: 64 * 1024,
  /** The cap of source 002 on one exploration. */
  symbolic_memory_bytes_max: 2 * 1024 ** 3,
  /** Trying boundary values takes some hundredths of a second; a slow function gets this share of the time. */
  symbolic_probe_share: 0.2,
  symbolic_probe_ms_max: 5_000,
  /** A call that took too long is tried once more for this share of the time, to say that it does not end. */
  symbolic_patience_share: 0.1,
  symbolic_patience_ms_max: 2_000,
  /** Reading the code and running its module level. */
  symbolic_inspect_ms_max: 10_000,
  /** Kept back for replaying what was found last. */
  symbolic_replay_reserve_ms: 500,
  /** One replay: what was found by stepping through it quickly also runs quickly. */
  symbolic_replay_ms_max: 10_000,
  /** Candidates that wait for their replay; explorers offer few of a kind. */
  symbolic_candidates_max: 200,
  /** Boundary values and short proofs decide most questions in less, when they need not share the processors. */
  symbolic_prover_waits_ms: 30,
  symbolic_explorer_waits_ms: 60,
  /** After a first witness others may follow, each with another violation. */
  symbolic_settle_ms_min: 300,
  /** After a proof: engines that disagree do so soon, and most answers should not wait for one that never ends. */
  symbolic_objections_ms_min: 50,
  symbolic_objections_ms_max: 1_000,
  /** Witnesses in one answer. */
  symbolic_witnesses_max: 20,

  /** The memo is a page of notes: one answer shows it whole. */
  memo_chars_max: 50_000,
  memo_lines_max: 2_000,
  /** Lines that `edit_memo` shows of what it changed, and around it. */
  memo_window_lines_max: 20,
  memo_window_lines_before: 2,
  /** Another server holds the memo for milliseconds; one that holds it longer is stuck. */
  memo_wait_ms_max: 5_000,

  /** Source 004: the socket timeout of the tactic daemon's clients. */
  tactic_timeout_ms_default: 30_000,
  /** The daemon is to answer so long before its client gives up, with what it has by then; a share where that is less. */
  tactic_last_word_ms: 500,
  tactic_last_word_share: 0.1,
  /** A daemon that does not shake hands in this time does not respond: its loop is never busy for long. */
  tactic_handshake_ms_max: 2_000,
  /** How often a call that waits looks how far the loading of the model is. */
  tactic_look_ms: 1_000,
  /** A daemon is up in half a second; on a busy machine with a cold disk it takes longer. */
  tactic_start_ms_max: 15_000,
  /** How long a daemon may take to end after it was asked to, before it is killed. */
  tactic_stop_ms_max: 5_000,
  /** How long a daemon that ends waits for llama.cpp to let go of a model. */
  tactic_let_go_ms_max: 500,
  /** A request is a proof state or a few; the source's own daemon takes no longer lines. */
  tactic_request_bytes_max: 1024 * 1024,
  /** An answer has at most some hundred tactics of at most 2,048 tokens. */
  tactic_reply_bytes_max: 8 * 1024 * 1024,
  tactic_connections_max: 128,
  /** A connection that says nothing for this long is closed; so is one whose client does not read. */
  tactic_connection_idle_ms_max: 600_000,
  tactic_unread_ms_max: 30_000,
  /** Requests that wait for the model, each with its state. */
  tactic_waiting_max: 64,
  tactic_state_chars_max: 100_000,
  tactic_chars_max: 10_000,
  /** Tactics of one answer, which stand in it twice. */
  tactics_answer_chars_max: 20_000,
  /** Source 004 has 1 to 10; its authors' search takes 4 to 16 a node. */
  tactic_suggestions_max: 32,
  tactic_suggestions_default: 5,
  tactic_temperature_max: 2,
  tactic_temperature_default: 0.7,
  /** The model's authors let it write 2,048. */
  tactic_tokens_max: 2_048,
  tactic_tokens_default: 128,
  tactic_batch_max: 16,
  tactic_rivals_max: 32,
  /** Rounds of samples after the first, for suggestions that were lost to repetition and filters. */
  tactic_more_rounds_max: 2,
  /** Share of a request's time that is kept for scores. */
  tactic_score_share: 0.15,
  /** Tokens that a sample is drawn from: the rest of the vocabulary has next to nothing, and costs time. */
  tactic_top_k: 64,
  /** Tokens of a prompt that are read at once: what the machine reads in this time, since a cancel is heard between two pieces. */
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
  /** Share of the machine's memory that a model with its cache may take. */
  tactic_memory_share: 0.9,
  /** Loading a file of many GB from a slow disk. */
  tactic_load_ms_max: 600_000,
  /** llama.cpp is 30 MB to download, over a slow line too. */
  tactic_install_ms_max: 600_000,
  /** A model that nobody asked for this long is let go, and after hours the daemon with it. */
  tactic_idle_s_default: 900,
  tactic_leave_ms_max: 12 * 3_600_000,
  /** A model's file is told from others by samples: all of it takes a minute to read. */
  tactic_samples: 64,
  tactic_sample_bytes: 32 * 1024,
  /** Answers that are kept, the last used ones. */
  tactic_answers_kept_max: 2_000,
  tactic_answers_chars_max: 16_000_000,
  /** Requests whose times the percentiles are taken of. */
  tactic_times_kept_max: 1_000,
  /** Metrics are written this long after the first of them, many at once. */
  tactic_log_ms: 200,
  /** The metrics log is begun anew past this; the one before is kept. */
  tactic_log_bytes_max: 4 * 1024 * 1024,
  /** What a remote model answers is text of some tactics. */
  tactic_http_bytes_max: 8 * 1024 * 1024,
  /** Calls to a remote model at the same time, for one request. */
  tactic_http_at_once: 4,
  /** A model's server that says nothing at its root for so long is not there; it may be loading a model. */
  tactic_greeting_ms_max: 10_000,
  /** How often a server looks whether it is alone with a daemon that has other settings. */
  tactic_alone_looks: 5,

  /** Outcomes of tactics that are remembered; the oldest go first. */
  lean_outcomes_max: 5_000,
  /** Proofs whose steps are tracked, and the steps of one. */
  lean_proofs_max: 100,
  lean_proof_steps_max: 200,
  /** A longer tactic is not remembered: there are few of them, and they would fill the file. */
  lean_tactic_chars_max: 1_000,
  /** States of one search together. */
  lean_search_chars_max: 8_000_000,
  /** Items of one `lean_multi_attempt`. */
  lean_items_max: 64,
  lean_heads_listed_max: 20,
  lean_searches_max: 50,
  lean_search_nodes_max: 5_000,
  lean_search_nodes_default: 100,
  lean_search_depth_max: 64,
  /** A search in the server's own Lean; what it has found is kept for the next call. */
  lean_search_ms_max: 300_000,
  /** The REPL never frees a state, so its process is begun anew after so many. */
  lean_repl_requests_max: 2_000,
  lean_repl_start_ms_max: 300_000,
  lean_repl_tactic_ms_max: 12_000,
  lean_repl_reply_chars_max: 4 * 1024 * 1024,
} as const;
