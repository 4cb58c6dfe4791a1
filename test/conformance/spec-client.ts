/** A client that somebody wrote who has the specification and nothing else: plain requests, one key. */

import assert from "node:assert/strict";
import { apiRequest, type ApiAnswer } from "../support/requests/api-request.ts";
import { multipartType, uploadBody } from "../support/requests/multipart.ts";
import { startFiles } from "../support/archives/start-files.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";
import { wrongFields, type SpecProject } from "./spec-project.ts";

/** A bot of the simulated runtime. */
export const bot = { language: "node", command: "sim run" };
/** A site of HTML files. */
export const page = { language: "static" };
/** An id of the right form that nobody has. */
export const unknownId = "0".repeat(26);

export class SpecClient {
  readonly centralUrl: string;
  readonly key: string | undefined;

  constructor(centralUrl: string, key?: string) {
    this.centralUrl = centralUrl;
    this.key = key;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.#send("GET", path, { headers });
  }

  post(path: string): Promise<ApiAnswer> {
    return this.#send("POST", path, {});
  }

  delete(path: string): Promise<ApiAnswer> {
    return this.#send("DELETE", path, {});
  }

  /** Sends PUT, PATCH or POST with a JSON body. */
  json(method: "PUT" | "PATCH" | "POST", path: string, body: unknown): Promise<ApiAnswer> {
    return this.#send(method, path, {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  patch(id: string, body: unknown): Promise<ApiAnswer> {
    return this.json("PATCH", `/projects/${id}`, body);
  }

  /** Sends a body as it is. */
  raw(
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<ApiAnswer> {
    return this.#send(method, path, { headers, body });
  }

  /** Sends the .zip in the form field `file`, and more form fields. */
  uploadZip(
    path: string,
    zip: Uint8Array,
    fields: Record<string, string> = {},
    fileName?: string,
  ): Promise<ApiAnswer> {
    return this.#send("POST", path, { headers: multipartType, body: uploadBody(zip, fields, fileName) });
  }

  /** Sends an archive with this `svc.json` and the files that it starts; null leaves `svc.json` out. */
  async upload(
    path: string,
    svcJson: object | null,
    fields: Record<string, string> = {},
  ): Promise<ApiAnswer> {
    const files = {
      "index.js": "",
      "index.html": "",
      ...startFiles({ ...svcJson, ...fields }),
      ...(svcJson === null ? {} : { "svc.json": JSON.stringify(svcJson) }),
    };
    return this.uploadZip(path, await zipOf(files), fields);
  }

  /** A new project; fails unless it is taken. */
  async create(svcJson: object, fields: Record<string, string> = {}): Promise<SpecProject> {
    const answer = await this.upload("/projects", svcJson, fields);
    assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
    return projectOf(answer);
  }

  /** Creates a project that was started and is up. */
  async createRunning(svcJson: object = bot): Promise<SpecProject> {
    const { id } = await this.create(svcJson, { start: "true" });
    return this.when(id, "running");
  }

  /** Creates a project that is installed and was not started. */
  async createStopped(svcJson: object = bot): Promise<SpecProject> {
    const { id } = await this.create(svcJson);
    return this.when(id, "stopped");
  }

  async project(id: string): Promise<SpecProject> {
    const answer = await this.get(`/projects/${id}`);
    assert.equal(answer.status, 200, answer.text);
    return projectOf(answer);
  }

  /** Returns the project once it has the given status or property. */
  async when(
    id: string,
    wanted: string | ((project: SpecProject) => boolean),
    timeoutMs = 60_000,
  ): Promise<SpecProject> {
    let last: SpecProject | undefined;
    const isReached = typeof wanted === "string" ? ({ status }: SpecProject) => status === wanted : wanted;
    try {
      return await until(
        async () => {
          last = await this.project(id);
          return isReached(last) ? last : undefined;
        },
        { timeoutMs, everyMs: 10 },
      );
    } catch (cause) {
      throw new Error(`the project never got there; it is ${JSON.stringify(last)}`, { cause });
    }
  }

  /** start, stop or restart; fails unless it is taken. */
  async act(id: string, action: "start" | "stop" | "restart"): Promise<SpecProject> {
    const answer = await this.post(`/projects/${id}/${action}`);
    assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
    return projectOf(answer);
  }

  /** Does what {@link act} does, and waits until it is done: meanwhile another action is `project_busy`. */
  async carryOut(id: string, action: "start" | "stop" | "restart"): Promise<SpecProject> {
    await this.act(id, action);
    return this.when(id, action === "stop" ? "stopped" : "running");
  }

  #send(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> },
  ): Promise<ApiAnswer> {
    return apiRequest(this.centralUrl, {
      method,
      path: `/api${path}`,
      token: this.key,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  }
}

/** Returns the project of an answer `{ "project": Project, … }`, with every field as the table says. */
export function projectOf(answer: ApiAnswer): SpecProject {
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json\b/, answer.text);
  const { project } = answer.json as { project: SpecProject };
  assert.deepEqual(wrongFields(project), [], JSON.stringify(project));
  return project;
}

/** Asserts exactly this status, code and extra fields, in the error body, `Retry-After` only with 429. */
export function assertRefused(
  answer: ApiAnswer,
  status: number,
  code: string,
  extra: Record<string, unknown> = {},
): void {
  assert.deepEqual([answer.status, answer.code], [status, code], answer.text);
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json\b/);
  const body = answer.json as Record<string, unknown>;
  assert.equal(body.status, "error");
  assert.ok(typeof body.message === "string" && body.message.length > 10, "a message for a person");
  for (const [name, value] of Object.entries(extra))
    assert.deepEqual([name, body[name]], [name, value], answer.text);
  const retryAfter = answer.headers.get("retry-after");
  if (status === 429) assert.match(retryAfter ?? "", /^[1-9]\d*$/);
  else assert.equal(retryAfter, null);
}
