import { imageVersions, type ImagePullEvent } from "@tijolo/protocol";
import { defineCommand } from "../../../command.ts";
import { CommandFailure, exitCodes, UsageError } from "../../../command-failure.ts";
import { formatBytes } from "../../../show/format.ts";
import { printable } from "../../../show/printable.ts";
import type { Messages } from "../../../messages.ts";
import type { Output } from "../../../show/output.ts";
import { imageName, readImage, readPackages } from "./read-image.ts";

/**
 * `tijolo cluster image pull`: every machine gets the image now; says what each does, and fails when one of
 * them does.
 */
export const imagePull = defineCommand({
  name: "cluster image pull",
  argument: "language version",
  takesEachWord: true,
  options: {
    all: { type: "boolean", summary: "allImages" },
    packages: { type: "string", value: "PACKAGES", summary: "imagePackages" },
    host: { type: "string", value: "HOST", summary: "imageHost" },
  },
  examples: [
    "tijolo cluster image pull ruby 4.0",
    "tijolo cluster image pull python 3.13 --packages imagemagick,git --host host-1",
    "tijolo cluster image pull --all",
  ],
  async run(context, { words, options }) {
    const { messages, output, signal } = context;
    if (options.all === true && words.length > 0) throw new UsageError(messages.image.nothingMore);
    const images = options.all === true ? [...imageVersions] : [readImage(words, messages)];
    const systemPackages = readPackages(options.packages);
    const { client } = await context.connectOperator();
    const input = { images, systemPackages, ...(options.host === undefined ? {} : { host: options.host }) };
    let failures = 0;
    let hosts: number | undefined;
    for await (const event of client.pullImages({ body: input }, { signal })) {
      if (event.event === "pull-ended") {
        hosts = event.data.hosts;
        continue;
      }
      output.json({ kind: event.event, ...event.data });
      show(event, output, messages);
      if (event.event === "image-failed" || event.event === "host-lost") failures++;
    }
    if (hosts === undefined) throw new CommandFailure(messages.image.pullCutOff);
    if (hosts === 0) output.error(messages.image.noHosts);
    if (failures > 0) output.note(messages.image.pullFailed(failures));
    return failures === 0 && hosts > 0 ? exitCodes.ok : exitCodes.failure;
  },
});

type HostPullEvent = Exclude<ImagePullEvent, { event: "pull-ended" }>;

function show(pulled: HostPullEvent, output: Output, { image, locale }: Messages): void {
  const host = printable(pulled.data.host.name);
  switch (pulled.event) {
    case "image-progress":
      output.note(`${host}: ${imageName(pulled.data.image)}: ${printable(pulled.data.text)}`);
      return;
    case "image-pulled": {
      const { sizeBytes, isNew, origins, runningOnOther } = pulled.data;
      const size = formatBytes(sizeBytes, locale);
      const name = imageName(pulled.data.image);
      output.line(
        isNew
          ? image.pulled(host, name, printable(origins.join(", ")), size)
          : image.unchanged(host, name, size),
      );
      if (runningOnOther > 0) output.line(image.runningOnOther(runningOnOther));
      return;
    }
    case "image-failed":
      output.error(image.failed(host, imageName(pulled.data.image), printable(pulled.data.reason)));
      return;
    case "host-lost":
      output.error(image.hostLost(host));
  }
}
