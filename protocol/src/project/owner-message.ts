/**
 * A message from a host to a project's owner: a code and its parameters. The host knows what happened; the
 * sentence is made from `protocol/src/texts` in the reader's language.
 */

import { z } from "zod";
import { diagnosisMessages } from "./diagnosis-messages.ts";
import { installMessages } from "./install-messages.ts";
import { runMessages } from "./run-messages.ts";

const shapes = { ...diagnosisMessages, ...installMessages, ...runMessages };

type Shapes = typeof shapes;
export type OwnerMessageCode = keyof Shapes;
/** The parameters of a message that has such a shape. */
export type ParametersOf<Shape extends z.ZodRawShape> = keyof Shape extends never
  ? unknown
  : z.output<z.ZodObject<Shape>>;
export type OwnerMessage = {
  [Code in OwnerMessageCode]: { code: Code } & ParametersOf<Shapes[Code]>;
}[OwnerMessageCode];

/** A text of every code of a table of messages: a code without a text, or one too many, does not compile. */
export type MessageTexts<Table extends Record<string, z.ZodRawShape>> = {
  readonly [Code in keyof Table]: (parameters: ParametersOf<Table[Code]>) => string;
};

function isOwnerMessageCode(code: string): code is OwnerMessageCode {
  return Object.hasOwn(shapes, code);
}

/** How many messages a host sends at once at most. */
const maxMessages = 4;

const [first, ...rest] = Object.entries(shapes).map(([code, shape]) =>
  z.object({ code: z.literal(code), ...shape }),
);

/** The schema of one message whose code is known. TypeScript does not follow the table through `Object.entries`. */
export const ownerMessage = z.discriminatedUnion("code", [
  first as NonNullable<typeof first>,
  ...rest,
]) as unknown as z.ZodType<OwnerMessage>;

/** The schema of messages of a host that may be newer: those with a code that is not known are left out. */
export const ownerMessages = z
  .array(z.looseObject({ code: z.string().max(100) }))
  .max(maxMessages)
  .transform((messages) => messages.filter(({ code }) => isOwnerMessageCode(code)) as unknown[])
  .pipe(z.array(ownerMessage));
