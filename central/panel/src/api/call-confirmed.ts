/** Calls operations that may want a fresh confirmation of who is there, and asks the person for it. */

import { ApiError, type CallInput, type ImagePullEvent, type OperationAnswer } from "@tijolo/protocol/client";
import { api } from "./client.ts";
import { askConfirmation } from "./confirmation.ts";
import { call, type PlainName } from "./use-read.ts";

/** Calls the operation; when it wants a fresh confirmation, asks the person for it and calls again. */
export function callConfirmed<Name extends PlainName>(
  name: Name,
  input: CallInput<Name> | undefined,
): Promise<OperationAnswer<Name>> {
  return confirmed(() => call(name, input));
}

/** Has machines prepare images; calls `take` with each event, and resolves when the stream ends. */
export function pullImages(
  body: CallInput<"pullImages">["body"],
  signal: AbortSignal,
  take: (event: ImagePullEvent) => void,
): Promise<void> {
  return confirmed(async () => {
    for await (const event of api.pullImages({ body }, { signal })) take(event);
  });
}

async function confirmed<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== "confirmation_required") throw cause;
    if (!(await askConfirmation())) throw cause;
    return await ask();
  }
}
