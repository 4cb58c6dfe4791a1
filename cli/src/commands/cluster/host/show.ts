import type { Client, HostProject, HostView, RunLimits } from "@tijolo/protocol";
import { defineCommand } from "../../../command.ts";
import type { CommandContext } from "../../../command-context.ts";
import { CommandFailure, exitCodes, UsageError } from "../../../command-failure.ts";
import { formatTable } from "../../../show/format.ts";
import { printable, printableLine } from "../../../show/printable.ts";
import { formatHardware } from "./show-hardware.ts";
import { formatStatus } from "../../../show/show-project.ts";

/** Longest name, so that a table fits a screen; the JSON has all of it. */
const maxNameLength = 24;
const unknown = "-";

/** `tijolo cluster host show`: one machine with its projects, what each uses and what it is held to. */
export const hostShow = defineCommand({
  name: "cluster host show",
  argument: "machine",
  options: { hardware: { type: "boolean", summary: "hardware" } },
  examples: [
    "tijolo cluster host show",
    "tijolo cluster host show host-1",
    "tijolo cluster host show host-1 --hardware",
    "tijolo cluster host show host-1 --json",
  ],
  async run(context, { argument, options }) {
    const { client } = await context.connectOperator();
    const host = argument ?? (await onlyHost(context, client));
    const view = await client.getHost({ host }, { signal: context.signal });
    const hardware =
      options.hardware === true
        ? (await client.getHostHardware({ host }, { signal: context.signal })).hardware
        : null;
    context.output.json(hardware === null ? view : { ...view, hardware });
    for (const line of formatHost(context, view)) context.output.line(line);
    if (hardware !== null) for (const line of formatHardware(context, hardware)) context.output.line(line);
    return exitCodes.ok;
  },
});

/** Returns the only host; it need not be named. */
async function onlyHost({ messages, signal }: CommandContext, client: Client): Promise<string> {
  const { hosts } = await client.listHosts({}, { signal });
  const [first, ...others] = hosts;
  if (first === undefined) throw new CommandFailure(messages.cluster.noHosts);
  if (others.length > 0)
    throw new UsageError(
      messages.host.whichHost([first, ...others].map(({ name }) => printable(name)).join(", ")),
    );
  return first.id;
}

function formatHost(context: CommandContext, view: HostView): string[] {
  const { messages, output } = context;
  const { host: texts, cluster } = messages;
  const title = output.style("bold", printableLine(view.host.name));
  const warning =
    view.answer === "away" ? [texts.away] : view.answer === "older_agent" ? [texts.olderAgent] : [];
  return [
    `${title} (${cluster.host[view.host.state]})`,
    ...formatTable(factsOf(context, view).map(([name, value]) => [`  ${name}:`, value])),
    ...warning.map((text) => output.style("yellow", text)),
    "",
    ...formatProjects(context, view.projects),
  ];
}

/** Returns what is known of the machine, each fact with its name. */
function factsOf(context: CommandContext, view: HostView): [string, string][] {
  const { fields, host: texts } = context.messages;
  const { host, machine } = view;
  const facts: [string, string | null][] = [
    [fields.id, host.id],
    [fields.lastSeen, host.lastSeenAt],
    [texts.fields.agent, host.agentVersion],
    [
      fields.system,
      host.resources && printable(`${host.resources.operatingSystem}, ${host.resources.architecture}`),
    ],
    [texts.fields.kernel, machine && printable(machine.kernel)],
    [texts.fields.cpu, processorOf(context, view)],
    [fields.memory, memoryOf(context, view)],
    [texts.fields.disk, diskOf(context, view)],
    [texts.fields.mesh, meshOf(context, view)],
    [texts.fields.projectDisks, machine && texts.projectDisks[machine.disks]],
    [texts.fields.cgroups, machine && (machine.cgroups ?? texts.noCgroups)],
    [texts.fields.io, machine && texts.io[machine.io]],
    [
      texts.fields.isolation,
      machine && joined(texts.isolation[machine.runtime], texts.userNamespaces[machine.userNamespaces]),
    ],
  ];
  return facts.flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]]));
}

/** Returns the range of addresses of the machine's projects, and why others do not reach them; null: it has none. */
function meshOf({ messages }: CommandContext, { host: { mesh } }: HostView): string | null {
  if (mesh === null) return null;
  const { [mesh.state]: state } = messages.host.mesh;
  return `${printable(mesh.range)}, ${state(printable(mesh.clashesWith ?? ""))}`;
}

/** Returns the number of processors, and how busy they are; null for a host that has never connected. */
function processorOf({ messages }: CommandContext, { host, usage }: HostView): string | null {
  const { locale, host: texts } = messages;
  if (host.resources === null) return null;
  return joined(texts.cpu(host.resources.cpuCount), usage && texts.cpuNow(rounded(usage.cpuPercent, locale)));
}

/** Returns how the memory is shared out, and how much is in use; null for a host that has never connected. */
function memoryOf({ messages }: CommandContext, { host, memory, usage }: HostView): string | null {
  const { locale, host: texts } = messages;
  if (host.resources === null || memory === null) return null;
  const mb = (value: number) => megabytes(value, locale);
  const claimedMb = host.resources.memoryMb;
  const countedMb = host.countedMemoryMb ?? claimedMb;
  return joined(
    texts.memory(mb(countedMb), mb(host.reservedMemoryMb), mb(memory.freeMb), mb(memory.keptBackMb)),
    usage && texts.memoryNow(mb(usage.memoryUsedMb)),
    claimedMb > countedMb ? texts.saysMore(mb(claimedMb)) : null,
  );
}

/** Returns the disk's size, what is free and what is promised; null for a host that has never connected. */
function diskOf({ messages }: CommandContext, { host, usage, promisedDiskMb }: HostView): string | null {
  const { locale, host: texts } = messages;
  if (host.resources === null) return null;
  const { diskMb, diskFreeMb } = host.resources;
  const mb = (value: number) => megabytes(value, locale);
  return texts.disk(mb(diskMb), mb(usage?.diskFreeMb ?? diskFreeMb), mb(promisedDiskMb));
}

function joined(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null).join("; ");
}

function megabytes(value: number, locale: string): string {
  return `${value.toLocaleString(locale)} MB`;
}

function formatProjects(context: CommandContext, projects: readonly HostProject[]): string[] {
  const { messages, output } = context;
  const { columns, noProjects, legend } = messages.host;
  if (projects.length === 0) return [noProjects];
  const head = [
    columns.project,
    columns.account,
    messages.fields.status,
    columns.memory,
    columns.cpu,
    columns.weight,
    columns.pids,
    columns.openFiles,
    columns.io,
    columns.disk,
    messages.fields.id,
  ];
  const [heading = "", ...lines] = formatTable([
    head,
    ...projects.map((project) => projectRow(context, project)),
  ]);
  return [output.style("bold", heading), ...lines, "", legend];
}

function projectRow(context: CommandContext, project: HostProject): string[] {
  const { messages } = context;
  const { locale, host: texts } = messages;
  const { limits, usage, disk, account } = project;
  const of = (used: number | null | undefined, limit: number | null | undefined) =>
    `${shown(used, locale)}/${shown(limit, locale)}`;
  const isLarger = limits?.memoryMb !== undefined && limits.memoryMb !== project.reservedMemoryMb;
  return [
    shortened(project.name),
    `${shortened(account.name)} (${account.plan})`,
    formatStatus(context, project.status) + (project.errorCode === null ? "" : ` (${project.errorCode})`),
    of(usage?.memoryMb, limits?.memoryMb) +
      (isLarger || limits === null ? ` ${texts.reserved(project.reservedMemoryMb)}` : ""),
    of(usage?.cpuPercent, limits?.cpuPercent),
    shown(limits?.cpuWeight, locale),
    of(usage?.pids, limits?.pids),
    shown(limits?.openFiles, locale),
    ioOf(limits, context),
    of(disk?.usedMb, disk?.limitMb ?? project.planDiskMb) +
      (disk?.isReadOnly === true ? ` (${texts.readOnly})` : ""),
    project.id,
  ];
}

function ioOf(limits: RunLimits | null, { messages: { locale, host } }: CommandContext): string {
  const io = limits?.io ?? null;
  if (io === null) return unknown;
  const mebibytes =
    io.bytesPerSecond === null ? unknown : `${rounded(io.bytesPerSecond / 2 ** 20, locale)} MB`;
  return host.perSecond(mebibytes, shown(io.operationsPerSecond, locale));
}

function shown(value: number | null | undefined, locale: string): string {
  return value == null ? unknown : rounded(value, locale);
}

function rounded(value: number, locale: string): string {
  return value.toLocaleString(locale, { maximumFractionDigits: 1 });
}

function shortened(text: string): string {
  const characters = Array.from(printable(text));
  return characters.length <= maxNameLength
    ? characters.join("")
    : `${characters.slice(0, maxNameLength - 1).join("")}…`;
}
