import * as z from "zod/v4";
import { model_limits } from "../limits.ts";

const { what_if_cases_max: cases_max } = model_limits;
const cases_error = `Parameter "what_if" must be an object of 1 to ${cases_max} cases by name, such as {"Anna is ill": {"set": {"shift[Anna,Fri]": 0}}}.`;
const case_error =
  "A case of what_if is an object with one or more of: set (values by name that are fixed), data (values by name), without (numbers of items), add (an item).";

const values = z.record(z.string(), z.unknown(), { error: case_error });

/** The changes that a case makes to a copy of a model. */
const Case = z
  .strictObject(
    {
      /** Fixed values, in the same form as a plan. */
      set: values.optional(),
      data: values.optional(),
      /** The indices of items to leave out. */
      without: z.array(z.int({ error: case_error }), { error: case_error }).optional(),
      add: z.union([z.string(), z.array(z.string())], { error: case_error }).optional(),
    },
    { error: case_error },
  )
  .refine((each) => Object.values(each).some((part) => part !== undefined), { error: case_error });
export type Case = z.output<typeof Case>;

/** The cases, by name. The listing describes their fields in words, since a schema would cost more tokens. */
export const what_if = z
  .record(z.string(), z.unknown(), { error: cases_error })
  .refine((all) => Object.keys(all).length > 0 && Object.keys(all).length <= cases_max, { error: cases_error })
  .pipe(z.record(z.string(), Case));
