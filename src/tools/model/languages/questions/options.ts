import * as z from "zod/v4";
import { count } from "../count.ts";

/** Options that ask more of a model than one solution: one meaning in each language that takes them. */
export const question_options = {
  check: yesOrNo("check"),
  count: yesOrNo("count"),
  backbone: yesOrNo("backbone"),
  k_best: count("k_best"),
  diverse: count("diverse"),
  why: yesOrNo("why"),
};

function yesOrNo(name: string) {
  return z.boolean({ error: `Parameter "${name}" must be true or false.` }).optional();
}
