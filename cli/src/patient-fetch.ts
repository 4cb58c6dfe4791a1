/** A fetch that speaks the person's language and waits where the server asks for a short pause. */

import { setTimeout as delay } from "node:timers/promises";
import type { Messages } from "./messages.ts";
import type { Output } from "./output.ts";

/** A longer wait is the person's to decide. */
export const longestWaitSeconds = 10;

export interface PatientFetchOptions {
  fetch: typeof globalThis.fetch;
  output: Output;
  messages: Messages;
  signal: AbortSignal;
}

/** After an answer 429 with a short `Retry-After` it waits, saying so, and asks once more. A streamed body cannot be sent twice. */
export function patientFetch({ fetch, output, messages, signal }: PatientFetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("accept-language", messages.locale);
    const request = { ...init, headers };
    const response = await fetch(input, request);
    const waitSeconds = shortWaitOf(response);
    if (waitSeconds === null || init?.body instanceof ReadableStream) return response;
    await response.body?.cancel();
    output.note(messages.waiting(waitSeconds));
    await delay(waitSeconds * 1_000, undefined, { signal });
    return await fetch(input, request);
  };
}

function shortWaitOf({ status, headers }: Response): number | null {
  const text = headers.get("retry-after");
  if (status !== 429 || text === null || !/^\d{1,4}$/.test(text)) return null;
  return Number(text) <= longestWaitSeconds ? Number(text) : null;
}
