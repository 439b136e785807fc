/** The options that are questions about all solutions, or about a plan. */
export const question_kinds = ["count", "backbone", "k_best", "diverse", "keep", "weights"] as const;
