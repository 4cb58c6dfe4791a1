/** Inputs and answers that many operations share. */

import { z } from "zod";
import { id } from "../../values/id.ts";
import { inputReasons } from "../input-reasons.ts";
import { project } from "../../nouns/project.ts";

export const none = z.strictObject({});
export const oneProject = z.strictObject({ id });
export const projectAnswer = z.strictObject({ project });

export const pageLimit = z
  .string()
  .regex(/^\d{1,4}$/, inputReasons.badPageLimit.pt)
  .transform(Number)
  .pipe(z.int().min(1).max(200));

/**
 * Query of lists that may be long: `limit` (1 to 200, default 100) and the `nextCursor` of the page before.
 */
export const page = z.strictObject({
  limit: pageLimit.default(100),
  cursor: z.string().min(1).max(200).optional(),
});
