import * as z from "zod/v4";
import { receivedValue } from "../../kernel/text/shown.ts";

/** Which job is meant. */
export const job_id = z.string({
  error: (issue) => `job_id must be a text: the id of a job, as list_jobs shows it. ${receivedValue(issue)}`,
});
