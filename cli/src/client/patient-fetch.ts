/** Wraps fetch: it sends the person's language and waits where the server asks for a short pause. */

import { setTimeout as delay } from "node:timers/promises";
import { readApiError } from "@tijolo/protocol";
import { whileBusy, type Patience } from "../project/while-busy.ts";

/** Longest wait that is not left to the person's decision. */
export const longestWaitSeconds = 10;

export interface PatientFetchOptions extends Patience {
  fetch: typeof globalThis.fetch;
}

/**
 * Wraps fetch: after an answer 429 with a short `Retry-After` it waits, tells the person, and asks once more;
 * while a project is busy, for a while. A streamed body cannot be sent twice.
 */
export function patientFetch({ fetch, ...patience }: PatientFetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("accept-language", patience.messages.locale);
    const ask = () => fetch(input, { ...init, headers });
    if (init?.body instanceof ReadableStream) return await ask();
    return await whileBusy(patience, () => askOnceMore(patience, ask), isBusy);
  };
}

async function askOnceMore(
  { output, messages, signal }: Patience,
  ask: () => Promise<Response>,
): Promise<Response> {
  const response = await ask();
  const waitSeconds = shortWaitOf(response);
  if (waitSeconds === null) return response;
  await response.body?.cancel();
  output.note(messages.waiting(waitSeconds));
  await delay(waitSeconds * 1_000, undefined, { signal });
  return await ask();
}

async function isBusy(response: Response): Promise<boolean> {
  if (response.status !== 409) return false;
  return (await readApiError(response.clone())).code === "project_busy";
}

function shortWaitOf({ status, headers }: Response): number | null {
  const text = headers.get("retry-after");
  if (status !== 429 || text === null || !/^\d{1,4}$/.test(text)) return null;
  return Number(text) <= longestWaitSeconds ? Number(text) : null;
}
