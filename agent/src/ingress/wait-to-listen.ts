/**
 * Waits for a project that just started and does not listen yet: tries again in short steps, for a bounded
 * time and a bounded number of visits.
 */

import { fail, type StreamVisit } from "./stream-visit.ts";

const firstStepMs = 25;
const longestStepMs = 250;
const maxWaitingVisits = 2_000;

/**
 * Calls `retry` a little later, or ends the visit when its time is over, the project is gone or too many
 * wait.
 */
export function waitToListen(
  visit: StreamVisit,
  { startedAt, port, retry }: { startedAt: number; port: number; retry: () => void },
): void {
  const { stream, context, guard } = visit;
  const waitedMs = performance.now() - startedAt;
  if (waitedMs >= context.times.listenMs) return fail(stream, "not_listening", port);
  if (context.waiting.count >= maxWaitingVisits) return fail(stream, "overloaded");
  context.waiting.count += 1;
  const end = guard(() => {
    clearTimeout(timer);
    stream.off("close", end);
    context.waiting.count -= 1;
  });
  const tryAgain = guard(() => {
    end();
    retry();
  });
  const timer = setTimeout(tryAgain, Math.min(longestStepMs, Math.max(firstStepMs, waitedMs / 2)));
  stream.once("close", end);
}
