import { isDeepStrictEqual } from "node:util";
import { accessLogs, defaultDrainSeconds, deployModes, siteProtocols } from "@tijolo/protocol";
import { readChoice, readInteger } from "../../command-line/parse-arguments.ts";
import type { Messages } from "../../messages.ts";
import { defineCommand, projectOption } from "../../command.ts";
import { CommandFailure, exitCodes } from "../../command-failure.ts";
import { connectProject } from "../../project/find-project.ts";
import { readProject } from "../../project/named-project.ts";

/** `tijolo site`: what holds for the visits to a site; with options it is changed, at once but for `--deploy`. */
export const projectSite = defineCommand({
  name: "site",
  argument: "id|name|folder",
  options: {
    project: projectOption,
    maintenance: { type: "boolean", summary: "maintenance" },
    hsts: { type: "boolean", summary: "hsts" },
    compression: { type: "boolean", summary: "compression" },
    "drain-seconds": { type: "string", value: "N", summary: "drainSeconds" },
    deploy: { type: "string", value: "hold|overlap", summary: "deploy" },
    protocol: { type: "string", value: "http1|h2c", summary: "protocol" },
    "access-log": { type: "string", value: "off|short|full", summary: "accessLog" },
    "health-path": { type: "string", value: "PATH", summary: "healthPath" },
  },
  examples: [
    "tijolo site minha-loja",
    "tijolo site minha-loja --maintenance",
    "tijolo site --no-maintenance",
    "tijolo site --health-path /health",
    "tijolo site --access-log short",
    "tijolo site --deploy overlap",
    "tijolo site --protocol h2c",
  ],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { client, projectId: id } = await connectProject(context, readProject(input, messages));
    const { project } = await client.getProject({ id }, { signal });
    if (project.type !== "site") throw new CommandFailure(messages.errors.notSite);
    const { siteSettings: before } = await client.getSiteSettings({ id }, { signal });
    const { maintenance, hsts, compression, "health-path": path, "drain-seconds": drain } = input.options;
    const accessLog = readChoice(input.options["access-log"], "--access-log", accessLogs, messages);
    const deploy = readChoice(input.options.deploy, "--deploy", deployModes, messages);
    const protocol = readChoice(input.options.protocol, "--protocol", siteProtocols, messages);
    const wanted = {
      maintenance: maintenance ?? before.maintenance,
      hsts: hsts ?? before.hsts,
      compression: compression ?? before.compression,
      deploy: deploy ?? before.deploy,
      protocol: protocol ?? before.protocol,
      accessLog: accessLog ?? before.accessLog,
      healthPath: path === undefined ? before.healthPath : path === "off" ? null : path,
      drainSeconds: readDrain(drain, messages) ?? (drain === undefined ? before.drainSeconds : null),
    };
    const { siteSettings } = isDeepStrictEqual(wanted, before)
      ? { siteSettings: before }
      : await client.setSiteSettings({ id, body: wanted }, { signal });
    output.json({ siteSettings });
    const { site } = messages.project;
    output.line(siteSettings.maintenance ? site.inMaintenance : site.open);
    output.line(siteSettings.hsts ? site.hsts : site.noHsts);
    output.line(siteSettings.compression ? site.compression : site.noCompression);
    output.line(site.accessLogs[siteSettings.accessLog]);
    if (project.language === "static") {
      // It has no process to wait for, or to start beside another.
      if (deploy !== undefined) output.line(site.deployOfStatic);
      return exitCodes.ok;
    }
    output.line(
      siteSettings.healthPath === null ? site.noHealthPath : site.healthPath(siteSettings.healthPath),
    );
    if (siteSettings.protocol === "h2c") output.line(site.speaksHttp2);
    output.line(site.drain(siteSettings.drainSeconds ?? defaultDrainSeconds[siteSettings.deploy]));
    output.line(site.deployModes[siteSettings.deploy]);
    if (siteSettings.deploy !== before.deploy) output.line(site.deployLater);
    return exitCodes.ok;
  },
});

function readDrain(text: string | undefined, messages: Messages): number | undefined {
  if (text === "default") return undefined;
  return readInteger(text, "--drain-seconds", { min: 0, max: 300 }, messages);
}
