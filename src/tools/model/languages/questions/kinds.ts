/** The options that ask about all solutions, about a plan, or about variants of the model. */
export const question_kinds = ["count", "backbone", "k_best", "diverse", "keep", "weights", "what_if"] as const;
