/** From an archive to files with their dependencies: fetch, extract, install; the project's status follows each. */

import { mkdir, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ArchiveError, archiveLimits, type Assignment, type InstallErrorCode } from "@tijolo/protocol";
import type { InstallOutcome } from "../runtime/runtime.ts";
import { logDirectory } from "../host/log-files.ts";
import { extractArchive } from "../versions/extract-archive.ts";
import { ArchiveFetchError } from "../versions/fetch-archive.ts";
import { removeUnfinished, versionDirectory } from "../versions/version-files.ts";
import { commonRequest } from "./container-request.ts";
import { installEnvironment } from "./environment.ts";
import { installCommandOf } from "./install-command.ts";
import { installKey } from "./install-key.ts";
import { withObserved, type ProjectRecord } from "./project-record.ts";
import type { ProjectWorker } from "./project-worker.ts";

/** Spec: "Limits". */
const installMemoryMb = 1024;
const installPids = 1024;
/** An install that a fault of the host cuts short is made again this often before it is given up. */
const maxInterruptions = 2;

export async function installVersion(worker: ProjectWorker, signal: AbortSignal): Promise<void> {
  const { assignment } = worker;
  if (assignment === undefined) return;
  const { versionNumber } = assignment;
  const isAnew = worker.record.observed.versionNumber !== versionNumber;
  const interruptedInstalls = isAnew ? 0 : worker.record.interruptedInstalls;
  const begun = { ...worker.record, interruptedInstalls: interruptedInstalls + 1, installed: null };
  worker.save(withObserved(begun, { phase: "extracting", versionNumber, errorCode: null, errorDetail: "" }));
  if (interruptedInstalls >= maxInterruptions) return fail(worker, "install_interrupted", "");
  try {
    await extractVersion(worker, assignment, signal);
    await runInstall(worker, assignment, signal);
  } catch (error) {
    if (signal.aborted || isCentralAway(error)) throw withoutCounting(worker, begun, error);
    worker.context.logger.error(
      { err: error, projectId: worker.projectId, versionNumber },
      "an install was interrupted by a fault of the host",
    );
    const detail = error instanceof ArchiveError ? "O arquivo enviado não pôde ser extraído." : "";
    await fail(worker, "install_interrupted", detail);
  }
}

/** A refusal is of the link's rights, which end with a connection: the next one asks again, or brings the news that the project is gone. */
function isCentralAway(error: unknown): boolean {
  return error instanceof ArchiveFetchError && error.kind !== "mismatch";
}

/** Neither central's absence nor the agent's own end is a fault of the install: it is made again. */
function withoutCounting(worker: ProjectWorker, begun: ProjectRecord, error: unknown): unknown {
  worker.save({ ...worker.record, interruptedInstalls: begun.interruptedInstalls - 1 });
  return error;
}

async function extractVersion({ context, projectId }: ProjectWorker, assignment: Assignment, signal: AbortSignal): Promise<void> {
  const directory = versionDirectory(context.dataDirectory, projectId, assignment.versionNumber);
  const code = join(directory, "code");
  if (existsSync(code)) return;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const archive = join(directory, "archive.zip");
  await context.fetchArchive(assignment.archive, archive, signal);
  await extractArchive(archive, code, { signal, limits: archiveLimits(assignment.diskMb) });
  await rm(archive, { force: true });
}

async function runInstall(worker: ProjectWorker, assignment: Assignment, signal: AbortSignal): Promise<void> {
  const { context, projectId } = worker;
  const { settings, versionNumber } = assignment;
  const directory = versionDirectory(context.dataDirectory, projectId, versionNumber);
  worker.save(withObserved(worker.record, { phase: "installing" }));
  const say = (text: string) => context.logs.appendSystemLine(projectId, "install", text, new Date(context.clock.now()));
  await context.logs.mark(projectId, "install", { version: versionNumber, at: new Date(context.clock.now()) });

  const command = installCommandOf(settings, (path) => existsSync(join(directory, "code", path)));
  if (command === null) {
    await rm(join(directory, "install"), { recursive: true, force: true });
    if (settings.language !== "static") await ensureImage(worker, assignment, signal);
    await say("Nada a instalar.");
    return finish(worker, assignment);
  }
  const startedMs = context.clock.now();
  const outcome = await context.installSlots.run(async (): Promise<InstallOutcome> => {
    const common = await commonRequest(worker, assignment, () => ensureImage(worker, assignment, signal));
    await say(`$ ${command}`);
    return context.runtime.install(
      {
        ...common,
        environment: installEnvironment(assignment, context.trust.environment),
        command,
        logDirectory: logDirectory(context.dataDirectory, projectId, "install"),
        limits: { memoryMb: installMemoryMb, cpuPercent: null, cpuWeight: 100, pids: installPids },
        timeoutMs: context.installTimeoutMs,
      },
      signal,
    );
  }, signal);
  const seconds = ((context.clock.now() - startedMs) / 1000).toFixed(1).replace(".", ",");
  if (outcome.status === "installed") {
    await say(`Instalação concluída em ${seconds} s.`);
    return finish(worker, assignment);
  }
  await say(`A instalação falhou depois de ${seconds} s.`);
  await fail(worker, outcome.code, outcome.exitCode === null ? "" : `Código de saída: ${outcome.exitCode}.`);
}

/** The first project of a language version on a host waits for its image, and is told so. */
async function ensureImage(
  { context, projectId }: ProjectWorker,
  assignment: Assignment,
  signal: AbortSignal,
): Promise<{ layers: string[] }> {
  const { language, version } = assignment.settings;
  let isTold = false;
  const onProgress = (line: string) => {
    context.logger.info({ image: `${language} ${version}` }, line);
    if (isTold) return;
    isTold = true;
    const text = `Preparando o ${language} ${version} neste servidor. Só acontece na primeira vez e leva até um minuto.`;
    void context.logs.appendSystemLine(projectId, "install", text, new Date(context.clock.now())).catch(() => {});
  };
  return context.images.ensure(language, version, { onProgress, signal });
}

/** Still `installing` while the start that was asked for is to come. */
function finish(worker: ProjectWorker, assignment: Assignment): void {
  const installed = { versionNumber: assignment.versionNumber, key: installKey(assignment) };
  const record = { ...worker.record, installed, interruptedInstalls: 0 };
  const isStartNext = worker.assignment?.run === "on";
  worker.save(isStartNext ? record : withObserved(record, { phase: "ready", startedAt: null }));
}

/** The project is down with the new version's reason, also when the earlier version ran until now. */
async function fail(worker: ProjectWorker, errorCode: InstallErrorCode, errorDetail: string): Promise<void> {
  if (worker.instance?.exit === null) {
    await worker.context.runtime.stop(worker.projectId, { graceMs: 10_000 });
  }
  await removeUnfinished(worker.context.dataDirectory, worker.projectId, worker.record.observed.versionNumber);
  const restartCount = worker.assignment?.restartCount ?? worker.record.observed.restartCount;
  worker.save(
    withObserved({ ...worker.record, interruptedInstalls: 0 }, { phase: "failed", errorCode, errorDetail, restartCount, startedAt: null }),
  );
}
