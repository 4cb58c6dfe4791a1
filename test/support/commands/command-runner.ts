/** Runs a command line against a server of one function, which a test replaces. */

import type { VersionStatus } from "@tijolo/protocol";
import { CommandLine } from "./command-line.ts";

export const projectId = "01J0000000000000000000000A";
export const bot = {
  id: projectId,
  name: "meu-bot",
  type: "bot",
  language: "node",
  version: "24",
  memoryMb: 256,
  status: "running",
  error: null,
  url: null,
  internalHost: "svc-0000000a",
  usage: null,
  lastExit: null,
  startedAt: null,
  consecutiveCrashes: 0,
  updatedAt: "2026-01-01T00:00:00.000Z",
};

/** Returns the answer to a request for versions: one each of these statuses, the newest first. */
export function versionsAnswer(...statuses: VersionStatus[]): Response {
  const versions = statuses.map((status, index) => {
    const error = status === "failed" ? { code: "process_exited", message: "O processo caiu." } : null;
    const number = statuses.length - index;
    return { number, isCurrent: index === 0, isServing: index === statuses.indexOf("live"), status, error };
  });
  return Response.json({ versions });
}

/** Creates a runner that is logged in at a server without projects. */
export async function createRunner(): Promise<CommandLine> {
  const runner = await CommandLine.create();
  runner.environment = { TIJOLO_URL: "http://central", TIJOLO_KEY: "svc_key" };
  runner.answer = () => Response.json({ projects: [] });
  return runner;
}

/** Returns the refusal for a caller that asks too fast. */
export function tooMany(seconds: number): Response {
  return Response.json(
    { status: "error", code: "rate_limit_exceeded", message: "Muitas." },
    { status: 429, headers: { "retry-after": String(seconds) } },
  );
}

/** Returns the refusal while another action of the project is in progress. */
export function busy(): Response {
  return Response.json(
    { status: "error", code: "project_busy", message: "Espere terminar." },
    { status: 409 },
  );
}
