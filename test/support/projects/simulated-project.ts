/** Handles a project of a simulated cluster, as its owner does. */

import { ApiError, type Client, type Project, type ProjectStatus } from "@tijolo/protocol";
import { projectWhen, simulatedBot, type TestAccount } from "../cluster/test-cluster.ts";
import { until } from "../until.ts";

export interface SimulatedUpload {
  /** Fields of `svc.json` beside the command. */
  config?: object;
  /** True to start it. Default: true. */
  start?: boolean;
}

export class SimulatedProject {
  readonly id: string;
  readonly client: Client;

  constructor(client: Client, id: string) {
    this.client = client;
    this.id = id;
  }

  /** Creates a project; `command` is a program of the simulated runtime. */
  static async create(
    { client }: Pick<TestAccount, "client">,
    command: string,
    { config = {}, start = true }: SimulatedUpload = {},
  ): Promise<SimulatedProject> {
    const fields = start ? { start: "true" as const } : {};
    const { project } = await client.createProject({ fields, file: await simulatedBot(command, config) });
    return new SimulatedProject(client, project.id);
  }

  async get(): Promise<Project> {
    return (await this.client.getProject({ id: this.id })).project;
  }

  when(isReached: (project: Project) => boolean, timeoutMs?: number): Promise<Project> {
    return projectWhen(this.client, this.id, isReached, timeoutMs);
  }

  is(status: ProjectStatus, timeoutMs?: number): Promise<Project> {
    return this.when((project) => project.status === status, timeoutMs);
  }

  async start(): Promise<Project> {
    return (await this.client.startProject({ id: this.id })).project;
  }

  async stop(): Promise<Project> {
    return (await this.client.stopProject({ id: this.id })).project;
  }

  async restart(): Promise<Project> {
    return (await this.client.restartProject({ id: this.id })).project;
  }

  async upload(command: string, config: object = {}): Promise<Project> {
    return (
      await this.client.uploadCode({ id: this.id, fields: {}, file: await simulatedBot(command, config) })
    ).project;
  }

  /**
   * Returns the statuses it goes through until `isLast`, each once, as a watcher that reads every 5 ms sees
   * them.
   */
  async statusesUntil(isLast: (project: Project) => boolean): Promise<ProjectStatus[]> {
    const seen: ProjectStatus[] = [];
    await this.when((project) => {
      if (seen.at(-1) !== project.status) seen.push(project.status);
      return isLast(project);
    });
    return seen;
  }
}

/** Retries `ask` until no other action of the project is in progress. */
export async function whenIdle<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const isFinal = (error: unknown) => !(error instanceof ApiError && error.code === "project_busy");
  const { answer } = await until(async () => ({ answer: await ask() }), { isFinal });
  return answer;
}

/** Returns a project without its current usage, which hosts report every few seconds. */
export function withoutUsage(project: Project): Project {
  return { ...project, usage: null };
}
