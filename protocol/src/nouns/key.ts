/** API keys as the account's owner sees and makes them (spec: Authentication 2 to 9). */

import { z } from "zod";
import { keyLevels, scope, scopes } from "../contract/access.ts";
import { id } from "../values/id.ts";
import { inputReasons } from "../contract/input-reasons.ts";
import { timestamp } from "./project.ts";
import { visibleName } from "../values/visible-name.ts";

export const apiKey = z.strictObject({
  id,
  name: z.string(),
  /** The first characters of the key. */
  prefix: z.string(),
  level: z.enum(keyLevels),
  scopes: z.array(scope),
  createdAt: timestamp,
  /** To the minute; null before the first use. */
  lastUsedAt: timestamp.nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

export const keyName = visibleName(40);

/**
 * With a level, `scopes` come on top of its preset; without one, the key has just these. The level of the key
 * that is made follows from all its scopes: it is not `read` when one of them changes something.
 */
export const newKey = z
  .strictObject({
    name: keyName,
    level: z.enum(keyLevels).optional(),
    scopes: z.array(scope).max(scopes.length).default([]),
    /** The person's, once more. */
    password: z.string().min(1).max(200),
  })
  .refine((key) => key.level !== undefined || key.scopes.length > 0, inputReasons.noScopes.pt);
