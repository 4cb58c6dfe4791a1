/**
 * Splits into frames what tRPC sends in one turn of the event loop, one message or a list of any length,
 * because central accepts frames of a bounded size.
 */

import { linkMaxFrameMessages } from "../../src/link/link-limits.ts";

/** Returns the texts of one frame each, in order: each of as many messages as fit, at least one. */
export function framesOf(data: unknown, maxBytes: number): string[] {
  if (!Array.isArray(data)) return [JSON.stringify(data)];
  const frames: string[] = [];
  let frame: string[] = [];
  let bytes = 0;
  for (const text of data.map((message) => JSON.stringify(message))) {
    const size = Buffer.byteLength(text) + 1;
    if (frame.length === linkMaxFrameMessages || (frame.length > 0 && bytes + size >= maxBytes)) {
      frames.push(`[${frame.join()}]`);
      [frame, bytes] = [[], 0];
    }
    frame.push(text);
    bytes += size;
  }
  return frame.length === 0 ? frames : [...frames, `[${frame.join()}]`];
}
