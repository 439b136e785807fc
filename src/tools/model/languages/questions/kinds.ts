/** The options that are questions about all solutions. */
export const question_kinds = ["count", "backbone", "k_best", "diverse"] as const;
