import { defineCommand } from "../../../command.ts";
import { exitCodes } from "../../../command-failure.ts";
import { formatBytes } from "../../../show/format.ts";
import { printable } from "../../../show/printable.ts";

/** `tijolo cluster image prune`: removes what no project uses, and says what that freed. */
export const imagePrune = defineCommand({
  name: "cluster image prune",
  options: { host: { type: "string", value: "HOST", summary: "imageHost" } },
  examples: ["tijolo cluster image prune", "tijolo cluster image prune --host host-1"],
  async run(context, { options }) {
    const { messages, output, signal } = context;
    const { image, locale } = messages;
    const { client } = await context.connectOperator();
    const body = options.host === undefined ? {} : { host: options.host };
    const { hosts } = await client.pruneImages({ body }, { signal });
    output.json({ hosts });
    if (hosts.length === 0) output.line(image.noHosts);
    for (const { host, isReached, isShared, removed } of hosts) {
      const name = printable(host.name);
      const bytes = removed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      for (const { title, sizeBytes } of removed)
        output.note(`  ${printable(title)} (${formatBytes(sizeBytes, locale)})`);
      if (!isReached) output.error(image.hostLost(name));
      else if (isShared) output.line(image.shared(name));
      else
        output.line(
          removed.length === 0
            ? image.nothingRemoved(name)
            : image.removed(name, removed.length, formatBytes(bytes, locale)),
        );
    }
    return hosts.every(({ isReached }) => isReached) ? exitCodes.ok : exitCodes.failure;
  },
});
