/** Launches a run of a project without a container: lays its files, claims its port, starts its command. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { OwnerMessage } from "@tijolo/protocol";
import { writeRunRecord, type RunRecord } from "../run-record.ts";
import type { StartRequest } from "../runtime.ts";
import { launchCommand } from "./command-run.ts";
import { layFiles } from "./lay-files.ts";
import type { LocalPorts } from "./local-ports.ts";
import { ownEnvironment } from "./own-environment.ts";

export interface LaunchedRun {
  request: StartRequest;
  record: RunRecord;
  hostPath: string;
  ports: LocalPorts;
  /** Writes a line of the agent in the log of the project. */
  say: (projectId: string, section: "app", message: OwnerMessage) => Promise<void>;
  home: string;
  /** Directory that holds the project's /app, and the list of the files laid there. */
  disk: string;
}

/** Resolves once the command has been started. What is there after a failure is the caller's to remove. */
export async function launchRun(
  run: string,
  { request, record, home, disk, hostPath, ports, say }: LaunchedRun,
): Promise<void> {
  const { projectId, versionNumber, command, logDirectory } = request;
  const app = join(disk, "app");
  const layers = request.appLayers.map(({ directory }) => directory);
  await layFiles(app, { layers, versionNumber, listFile: join(disk, "laid.json") });
  const port = await claimPort(projectId, request.environment["PORT"], { ports, say });
  const environment = ownEnvironment(request.environment, {
    app,
    home,
    hostPath,
    port,
    files: request.bindReadOnly,
  });
  await mkdir(run, { recursive: true, mode: 0o700 });
  await writeRunRecord(run, record);
  await launchCommand(run, { command, environment, appDirectory: app, logDirectory });
}

/** Claims a port, and says so to the owner; null for a program without a site. */
async function claimPort(
  projectId: string,
  wanted: string | undefined,
  { ports, say }: Pick<LaunchedRun, "ports" | "say">,
): Promise<number | null> {
  if (wanted === undefined || !/^\d{1,5}$/.test(wanted)) return null;
  const port = await ports.claim(projectId, Number(wanted));
  const taken = String(port) === wanted ? null : wanted;
  await say(projectId, "app", { code: "site_port_on_machine", port, taken });
  return port;
}
