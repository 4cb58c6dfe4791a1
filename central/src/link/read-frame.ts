/** Decides what counts as a frame of the link; anything else ends its connection before tRPC sees it. */

import { linkMaxFrameMessages } from "@tijolo/protocol";

/** Returns a tRPC message or a batch of them; undefined for anything else. */
export function readFrame(data: unknown): unknown {
  if (typeof data !== "string") return undefined;
  try {
    const frame: unknown = JSON.parse(data);
    const messages: unknown[] = Array.isArray(frame) ? frame : [frame];
    return messages.length > 0 && messages.length <= linkMaxFrameMessages && messages.every(isMessage)
      ? frame
      : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { id, method, params } = value as Record<string, unknown>;
  if (typeof id !== "number" && typeof id !== "string") return false;
  if (method === "subscription.stop") return true;
  if (method !== "query" && method !== "mutation" && method !== "subscription") return false;
  return (
    typeof params === "object" &&
    params !== null &&
    typeof (params as Record<string, unknown>)["path"] === "string"
  );
}
