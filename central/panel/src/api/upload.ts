/**
 * Sends an upload with its progress: `fetch` tells nothing of what it has sent, so this goes by XMLHttpRequest.
 * Everything else is as in the client.
 */

import {
  ConnectionError,
  pathOf,
  readApiError,
  type CallInput,
  type OperationAnswer,
} from "@tijolo/protocol/client";
import { routes } from "virtual:routes";
import { preferences } from "../preferences/preferences.ts";

/** Milliseconds without any progress after which the connection counts as lost. */
const silenceMs = 60_000;
/** Milliseconds that the server may take to store and to check what it has received. */
const answerMs = 120_000;

export type UploadName = "createProject" | "uploadCode";

export interface UploadOptions {
  /** The same for each try of one upload, so that a lost answer never makes a second project. */
  idempotencyKey: string;
  signal: AbortSignal;
  onProgress(sentBytes: number, totalBytes: number): void;
}

/** Throws ApiError for a refusal, ConnectionError when no answer came, and the signal's reason when cancelled. */
export async function sendUpload<Name extends UploadName>(
  name: Name,
  input: CallInput<Name> & { file: Blob },
  options: UploadOptions,
): Promise<OperationAnswer<Name>> {
  const route = routes[name];
  if (route === undefined) throw new TypeError(`no route ${name}`);
  const { fields = {}, file } = input as { fields?: Record<string, unknown>; file: Blob };
  const form = new FormData();
  // The fields stand before the file: the server has them when the bytes arrive.
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined && value !== null) form.append(field, String(value));
  form.append("file", file, "project.zip");
  const address = `/api${pathOf(route, input)}`;
  const response = await send(route.method, address, form, options);
  if (!response.ok) throw await readApiError(response);
  try {
    return (await response.json()) as OperationAnswer<Name>;
  } catch (cause) {
    throw new ConnectionError("the answer was cut off or is not JSON", { cause });
  }
}

function send(
  method: string,
  address: string,
  form: FormData,
  { idempotencyKey, signal, onProgress }: UploadOptions,
): Promise<Response> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  let patience = setTimeout(lost, silenceMs);
  const wait = (ms: number) => {
    clearTimeout(patience);
    patience = setTimeout(lost, ms);
  };
  function lost(): void {
    reject(new ConnectionError(`no answer from ${address}`));
    request.abort();
  }
  const cancel = () => {
    reject(signal.reason);
    request.abort();
  };
  signal.addEventListener("abort", cancel, { once: true });
  request.open(method, address);
  request.setRequestHeader("accept", "application/json");
  request.setRequestHeader("accept-language", preferences().language === "pt" ? "pt-BR" : "en");
  request.setRequestHeader("idempotency-key", idempotencyKey);
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    wait(silenceMs);
    onProgress(loaded, total);
  });
  request.upload.addEventListener("load", () => wait(answerMs));
  request.addEventListener("load", () => resolve(responseOf(request)));
  request.addEventListener("error", lost);
  request.addEventListener("loadend", () => {
    clearTimeout(patience);
    signal.removeEventListener("abort", cancel);
  });
  request.send(form);
  return promise;
}

function responseOf(request: XMLHttpRequest): Response {
  const retryAfter = request.getResponseHeader("retry-after");
  return new Response(request.status === 204 ? null : request.responseText, {
    status: request.status,
    statusText: request.statusText,
    ...(retryAfter === null ? {} : { headers: { "retry-after": retryAfter } }),
  });
}
