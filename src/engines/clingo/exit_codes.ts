/** clingo's exit codes; the result in its output does not distinguish an error from a limit. */
export const exit_codes = { grounded: 0, sat: 10, unsat: 20, exhausted: 30, out_of_memory: 33, refused: 65 } as const;
