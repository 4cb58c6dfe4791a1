/** Reads the documents of ACME servers (RFC 8555, 7.1): only what is needed of them, each text bounded. */

import { z } from "zod";

const url = z.url({ protocol: /^https$/ }).max(2_000);
const text = z.string().max(10_000);
const status = z.string().max(40);

export const directory = z.object({
  newNonce: url,
  newAccount: url,
  newOrder: url,
  renewalInfo: url.optional().catch(undefined),
  meta: z
    .object({
      caaIdentities: z.array(text).max(20).optional().catch(undefined),
      externalAccountRequired: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});
export type Directory = z.infer<typeof directory>;

export const problem = z.object({
  type: text.catch(""),
  detail: text.catch(""),
  subproblems: z
    .array(z.object({ detail: text.catch("") }))
    .max(200)
    .catch([]),
});
export type Problem = z.infer<typeof problem>;

export const account = z.object({ status });

export const order = z.object({
  status,
  authorizations: z.array(url).max(100),
  finalize: url,
  certificate: url.optional(),
  error: problem.optional().catch(undefined),
});
export type Order = z.infer<typeof order>;

export const challenge = z.object({
  type: status,
  url,
  status,
  /** Base64url by the protocol: it becomes part of a path and of a DNS record. */
  token: z
    .string()
    .regex(/^[\w-]{1,200}$/)
    .optional()
    .catch(undefined),
  error: problem.optional().catch(undefined),
});
export type Challenge = z.infer<typeof challenge>;

export const authorization = z.object({
  status,
  identifier: z.object({ type: status, value: text }),
  wildcard: z.boolean().optional().catch(undefined),
  challenges: z.array(challenge).max(50),
});
export type Authorization = z.infer<typeof authorization>;

const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** Window in which the authority wants a certificate renewed, in milliseconds since 1970. */
export const renewalInfo = z
  .object({ suggestedWindow: z.object({ start: moment, end: moment }) })
  // oxlint-disable-next-line no-restricted-properties -- the field's name in RFC 9773; no socket is ended
  .transform(({ suggestedWindow: { start: beginsAt, end: endsAt } }) => ({ beginsAt, endsAt }));
