import { defineCommand } from "../../../command.ts";
import { exitCodes } from "../../../command-failure.ts";
import { formatTable, formatTime } from "../../../show/format.ts";
import { printable } from "../../../show/printable.ts";

/** Names of waiting sites that are shown; `--json` has all. */
const shownNames = 10;

/** `tijolo cluster certificate list`: what gateways serve and until when, the orders that failed, and who waits. */
export const certificateList = defineCommand({
  name: "cluster certificate list",
  options: {},
  examples: ["tijolo cluster certificate list", "tijolo cluster certificate list --json"],
  async run(context) {
    const { messages, output, signal } = context;
    const { certificate: texts, locale } = messages;
    const { client } = await context.connectOperator();
    const list = await client.listCertificates({}, { signal });
    output.json(list);
    const timeOf = (text: string) => formatTime(Date.parse(text), locale);
    const rows = list.certificates.map(({ id, kind, names, expiresAt, renewsAt, isReadable }) => [
      printable(names.join(", ")),
      isReadable ? texts.kinds[kind] : `${texts.kinds[kind]} (${texts.keyLocked})`,
      timeOf(expiresAt),
      renewsAt === null ? texts.byYou : timeOf(renewsAt),
      id,
    ]);
    const { fields } = texts;
    const head = [fields.names, fields.kind, fields.expires, fields.renews, messages.fields.id];
    for (const line of formatTable([head, ...rows])) output.line(line);
    if (list.failedOrders.length > 0) output.line(texts.failed);
    for (const { names, detail, nextTryAt } of list.failedOrders)
      output.line(texts.failedOrder(names.join(", "), printable(detail), timeOf(nextTryAt)));
    const { waitingNames } = list;
    if (waitingNames.length > 0)
      output.line(texts.waiting(waitingNames.length, waitingNames.slice(0, shownNames).join(", ")));
    return exitCodes.ok;
  },
});
