/** Gives a person an operator's role, for `tijolo cluster operator add <email>`. */

import { ApiError, type OperatorRole } from "@tijolo/protocol";
import type { CommandContext } from "../../../command-context.ts";
import { CommandFailure, exitCodes } from "../../../command-failure.ts";
import { printable } from "../../../show/printable.ts";

export async function addPerson(
  context: CommandContext,
  body: { email: string; role: OperatorRole },
): Promise<number> {
  const { messages, output, signal } = context;
  const texts = messages.operator;
  const { client } = await context.connectOperator();
  const { operator } = await client.addOperatorPerson({ body }, { signal }).catch((cause: unknown) => {
    if (cause instanceof ApiError && cause.code === "not_found")
      throw new CommandFailure(texts.noPerson(body.email));
    throw cause;
  });
  output.json({ operator });
  output.line(texts.addedPerson(printable(operator.name), body.email, operator.role));
  if (operator.hasTwoFactor === false) output.note(texts.needsTwoFactor);
  return exitCodes.ok;
}
