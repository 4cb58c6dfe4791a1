/** Handles a project on a real cluster through the HTTP interface, as its owner does. */

import { languages, type Client, type LogLine, type Project, type ProjectStatus } from "@tijolo/protocol";
import { until } from "../../../support/until.ts";
import { zipOf } from "../../../support/archives/zip-of.ts";
import { ensureImage } from "../images/kept-images.ts";

export interface Upload {
  /** Contents by path; a `svc.json` made of `config` is added. */
  files?: Record<string, string | Uint8Array>;
  config?: Record<string, unknown>;
  /** Default true. */
  start?: boolean;
}

interface Wait {
  timeoutMs: number;
  /** The wait is over, and lost, in one of these. */
  failOn: readonly ProjectStatus[];
}

const finalStatuses: readonly ProjectStatus[] = ["error", "crash_loop"];

/** Ensures the image of a known language and version, whatever else is wrong with the settings. */
async function ensureImageOf({ config: { language, version } = {} }: Upload): Promise<void> {
  const known = languages.find((each) => each === language);
  if (known !== undefined)
    await ensureImage(known, typeof version === "string" && version !== "" ? version : undefined);
}

export class DeployedProject {
  readonly id: string;
  readonly client: Client;

  constructor(client: Client, id: string) {
    this.client = client;
    this.id = id;
  }

  static async create(client: Client, upload: Upload): Promise<DeployedProject> {
    const fields = upload.start === false ? {} : { start: "true" as const };
    await ensureImageOf(upload);
    const { project } = await client.createProject({ fields, file: await archiveOf(upload) });
    return new DeployedProject(client, project.id);
  }

  async get(): Promise<Project> {
    return (await this.client.getProject({ id: this.id })).project;
  }

  async upload(upload: Upload): Promise<void> {
    await ensureImageOf(upload);
    await this.client.uploadCode({ id: this.id, fields: {}, file: await archiveOf(upload) });
  }

  /** The project once it has the status; fails at once, with its log, when it ended up in error instead. */
  is(status: ProjectStatus, timeoutMs = 120_000): Promise<Project> {
    return this.when((project) => project.status === status, {
      timeoutMs,
      failOn: finalStatuses.filter((each) => each !== status),
    });
  }

  when(
    isReached: (project: Project) => boolean | Promise<boolean>,
    { timeoutMs = 60_000, failOn = [] }: Partial<Wait> = {},
  ): Promise<Project> {
    return this.#until(isReached, { timeoutMs, failOn });
  }

  async lines(query: { section?: "install" | "app"; lines?: number } = {}): Promise<LogLine[]> {
    return (await this.client.streamLogs.page({ id: this.id, query: { lines: 1000, ...query } })).lines;
  }

  /** Returns what the project itself has printed last, at most 1000 lines. */
  async output(): Promise<string[]> {
    return (await this.lines({ section: "app" }))
      .filter(({ stream }) => stream !== "system")
      .map(({ text }) => text);
  }

  /** Resolves once a line of the project's output contains the text. */
  async prints(text: string, timeoutMs = 60_000): Promise<string> {
    let printed: string | undefined;
    const isPrinted = async () => {
      printed = (await this.output()).find((line) => line.includes(text));
      return printed !== undefined;
    };
    await this.#until(isPrinted, { timeoutMs, failOn: finalStatuses });
    return printed ?? "";
  }

  async #until(
    isReached: (project: Project) => boolean | Promise<boolean>,
    { timeoutMs, failOn }: Wait,
  ): Promise<Project> {
    let last: Project | undefined;
    try {
      return await until(
        async () => {
          last = await this.get();
          if (await isReached(last)) return last;
          if (failOn.includes(last.status)) throw new FinalStatusError(`it is ${last.status}`);
          return undefined;
        },
        { timeoutMs, everyMs: 30, isFinal: (error) => error instanceof FinalStatusError },
      );
    } catch (cause) {
      const log = (await this.lines().catch(() => []))
        .slice(-30)
        .map(({ section, stream, text }) => `${section} ${stream}: ${text}`);
      throw new Error(`the project never got there: ${JSON.stringify(last)}\n${log.join("\n")}`, { cause });
    }
  }
}

class FinalStatusError extends Error {
  override name = "FinalStatusError";
}

/** Makes the same archive each time, so that it is recognised. */
export async function archiveOf({ files = {}, config = {} }: Upload): Promise<File> {
  return new File([await zipOf({ ...files, "svc.json": JSON.stringify(config) })], "project.zip");
}

/** Returns a Node program of one file, without dependencies. */
export function nodeProgram(source: string, config: Record<string, unknown> = {}): Upload {
  return {
    files: { "index.js": source },
    config: { language: "node", version: "24", entry: "index.js", ...config },
  };
}

/** Returns a bot that is a shell command: it starts in a few milliseconds. */
export function shellBot(command: string, config: Record<string, unknown> = {}): Upload {
  return { config: { language: "node", version: "24", command, ...config } };
}
