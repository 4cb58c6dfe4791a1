/** Formats a machine's hardware for a terminal. */

import type { HostHardware } from "@tijolo/protocol";
import type { CommandContext } from "../../../command-context.ts";
import { formatTable } from "../../../show/format.ts";
import { printable } from "../../../show/printable.ts";

export function formatHardware({ messages, output }: CommandContext, hardware: HostHardware): string[] {
  const { locale } = messages;
  const texts = messages.host.hardware;
  const { system, processor, memory, disks, network, graphics } = hardware;
  const of = (value: number | null, unit: string) =>
    value === null ? null : `${value.toLocaleString(locale)} ${unit}`;
  const rows: [string, string][] = [
    [texts.system, joined(system.manufacturer, system.model, system.isVirtual ? texts.virtual : null)],
    [
      texts.processor,
      joined(
        processor.manufacturer,
        processor.model,
        texts.cores(processor.cores, processor.threads),
        of(processor.maxMhz, "MHz"),
      ),
    ],
    ...memory.map((part): [string, string] => [
      texts.memory,
      joined(of(part.sizeMb, "MB"), part.type, of(part.mhz, "MHz"), part.manufacturer),
    ]),
    ...disks.map((part): [string, string] => [
      texts.disk,
      joined(part.device, of(part.sizeMb, "MB"), part.type, part.model),
    ]),
    ...network.map((part): [string, string] => [
      texts.network,
      joined(part.interface, part.type, of(part.mbps, "Mbit/s"), part.isUp ? texts.up : texts.down),
    ]),
    ...graphics.map((part): [string, string] => [
      texts.graphics,
      joined(part.model, of(part.memoryMb, "MB")),
    ]),
  ];
  return [
    "",
    output.style("bold", texts.title),
    ...formatTable(rows.map(([name, value]) => [`  ${name}:`, value])),
  ];
}

/** Joins what the machine told; the words are a host's own, so nothing in them steers the terminal. */
function joined(...parts: (string | null)[]): string {
  return parts.flatMap((part) => (part === null || part === "" ? [] : [printable(part)])).join(", ");
}
