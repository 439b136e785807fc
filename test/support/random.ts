import fc from "fast-check";

/** Less than the limit of a test. */
const random_ms_max = 200_000;

/**
 * For every random test: one that fails and is being made smaller, or that does not end, ends in time with a report,
 * which has the seed and the path that repeat it. Without, vitest would end it and name neither.
 */
fc.configureGlobal({ interruptAfterTimeLimit: random_ms_max, markInterruptAsFailure: true });
