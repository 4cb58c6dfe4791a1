/** Defines inputs and answers that many operations share. */

import { z } from "zod";
import { id } from "../../values/id.ts";
import { described } from "../described.ts";
import { inputReasons } from "../input-reasons.ts";
import { sharedWords } from "../shared-words.ts";
import { project } from "../../nouns/project.ts";

export const none = z.strictObject({});
export const oneProject = described(z.strictObject({ id }), sharedWords);
export const projectAnswer = described(z.strictObject({ project }), sharedWords);

export const pageLimit = z
  .string()
  .regex(/^\d{1,4}$/, inputReasons.badPageLimit.pt)
  .transform(Number)
  .pipe(z.int().min(1).max(200));

export const pageLimitWords = {
  pt: "Quantos por página, de 1 a 200.",
  en: "How many per page, from 1 to 200.",
};

/**
 * Query of lists that may be long: `limit` (1 to 200, default 100) and the `nextCursor` of the page before.
 */
export const page = described(
  z.strictObject({
    limit: pageLimit.default(100),
    cursor: z.string().min(1).max(200).optional(),
  }),
  { limit: pageLimitWords, cursor: sharedWords.cursor },
);
