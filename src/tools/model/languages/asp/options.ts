import * as z from "zod/v4";
import { count, or_all } from "../count.ts";

/** The options of `solve_model` for answer sets. */
export const asp_options = {
  max_models: count("max_models", or_all),
  reasoning: z
    .enum(["models", "brave", "cautious"], { error: 'Parameter "reasoning" must be models, brave or cautious.' })
    .optional(),
};
