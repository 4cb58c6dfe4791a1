import { email, operatorRoles } from "@tijolo/protocol";
import { defineCommand } from "../../../command.ts";
import { readChoice } from "../../../command-line/parse-arguments.ts";
import { readDuration } from "../../../command-line/read-duration.ts";
import { exitCodes, UsageError } from "../../../command-failure.ts";
import { addPerson } from "./add-person.ts";

/** `tijolo cluster operator add`: a role for a person, or a token, shown this once, for one more operator. */
export const operatorAdd = defineCommand({
  name: "cluster operator add",
  argument: "email|name",
  options: {
    role: { type: "string", value: "ROLE", summary: "operatorRole" },
    expires: { type: "string", value: "30d", summary: "operatorExpiry" },
  },
  examples: [
    "tijolo cluster operator add ana@example.com --role owner",
    "tijolo cluster operator add plantão --role viewer --expires 30d",
    "tijolo cluster operator add Bia --role owner --json",
  ],
  async run(context, { argument, options }) {
    const { messages, output, signal } = context;
    const texts = messages.operator;
    if (argument === undefined) throw new UsageError(messages.usage.missing(texts.name));
    const role = readChoice(options.role, "--role", operatorRoles, messages) ?? "operator";
    const expiresInMs = readDuration(options.expires, "--expires", messages);
    const person = email.safeParse(argument);
    if (person.success) {
      if (expiresInMs !== undefined) throw new UsageError(texts.noExpiryOfPerson);
      return addPerson(context, { email: person.data, role });
    }
    const { client } = await context.connectOperator();
    const body = { name: argument, role, ...(expiresInMs === undefined ? {} : { expiresInMs }) };
    const added = await client.addOperator({ body }, { signal });
    output.json(added);
    output.note(texts.added(added.operator.id));
    output.line(added.token);
    return exitCodes.ok;
  },
});
