/** The people who sign in to the panel, and their sessions. */

import { z } from "zod";
import { id } from "../values/id.ts";
import { inputReasons } from "../contract/input-reasons.ts";
import { timestamp } from "./project.ts";
import { isVisible } from "../values/visible-name.ts";

export const personName = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]{1,80}$/u, inputReasons.badPersonName.pt)
  .refine(isVisible, inputReasons.noVisibleCharacter.pt);
export const email = z.email().max(254).toLowerCase();
export const password = z.string().min(10).max(200);
/** What was typed at a sign-in is compared, not judged. */
export const typedPassword = z.string().min(1).max(200);
/** Six digits of an authenticator. */
export const oneTimeCode = z.string().regex(/^\d{6}$/, inputReasons.badOneTimeCode.pt);
export const recoveryCode = z.string().min(6).max(40);

export const person = z.strictObject({ name: z.string(), email: z.string(), hasTwoFactor: z.boolean() });
export type Person = z.infer<typeof person>;

export const panelSession = z.strictObject({
  id: z.string(),
  isCurrent: z.boolean(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: timestamp,
  expiresAt: timestamp,
});
export type PanelSession = z.infer<typeof panelSession>;

/** Who is signed in, and in which account. */
export const signedIn = z.strictObject({
  session: panelSession,
  person,
  account: z.strictObject({ id, name: z.string() }),
});
export type SignedIn = z.infer<typeof signedIn>;
