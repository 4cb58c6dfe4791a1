/**
 * Asks for e-mail and passwords: from options, environment or stdin, or from the person, who types a password
 * unseen.
 */

import { password as passwordRule } from "@tijolo/protocol";
import type { CommandOption } from "../command.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandFailure, UsageError } from "../command-failure.ts";

/** Options of the commands that sign in. */
export const credentialOptions = {
  url: { type: "string", value: "URL", summary: "url" },
  email: { type: "string", value: "E-MAIL", summary: "email" },
  "password-stdin": { type: "boolean", summary: "passwordStdin" },
  code: { type: "string", value: "CODE", summary: "code" },
} as const satisfies Record<string, CommandOption>;

export interface CredentialChoices {
  email?: string;
  "password-stdin"?: boolean;
  code?: string;
}

export async function askEmail(context: CommandContext, { email }: CredentialChoices): Promise<string> {
  const given =
    email ??
    context.environment["TIJOLO_EMAIL"] ??
    (context.isInteractive ? await context.ask(context.messages.ask.email) : null);
  if (!given) throw new UsageError(context.messages.errors.noEmail);
  return given;
}

/** Asks for the password that the account has. */
export async function askPassword(context: CommandContext, choices: CredentialChoices): Promise<string> {
  const given = await readPassword(context, choices, context.messages.ask.password);
  if (given === "") throw new UsageError(context.messages.errors.noPassword);
  return given;
}

/** Asks for the account's new password: a person types it twice. */
export async function askNewPassword(context: CommandContext, choices: CredentialChoices): Promise<string> {
  const { ask, errors } = context.messages;
  const chosen = await readPassword(context, choices, ask.newPassword);
  if (!passwordRule.safeParse(chosen).success) throw new CommandFailure(errors.shortPassword);
  if (choices["password-stdin"] === true) return chosen;
  if ((await context.ask(ask.repeatPassword, { isSecret: true })) !== chosen)
    throw new CommandFailure(errors.passwordsDiffer);
  return chosen;
}

export async function askCode(context: CommandContext, { code }: CredentialChoices): Promise<string> {
  const given = code ?? (context.isInteractive ? await context.ask(context.messages.ask.code) : null);
  if (!given) throw new CommandFailure(context.messages.errors.noCode);
  return given.trim();
}

async function readPassword(
  context: CommandContext,
  choices: CredentialChoices,
  question: string,
): Promise<string> {
  if (choices["password-stdin"] === true) return (await context.readInput()).replace(/\r?\n$/, "");
  if (!context.isInteractive) throw new UsageError(context.messages.errors.noPassword);
  return (await context.ask(question, { isSecret: true })) ?? "";
}
