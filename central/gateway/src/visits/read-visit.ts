/** Reads a line of HAProxy's ring of visits. */

import { id, toPlainText, type CarriedVisit } from "@tijolo/protocol";
import { z } from "zod";

const text = z.string().nullish();
const time = z.coerce.number().nullish();

const line = z.object({
  t: z.coerce.number(),
  project: id,
  address: z.string().max(50),
  method: text,
  path: text,
  host: text,
  status: time,
  bytes: time,
  waited: time,
  connected: time,
  answered: time,
  agent: text,
  referrer: text,
});

export interface ReadVisit {
  visit: CarriedVisit;
  /** When it was written, in microseconds since 1970. */
  atUs: number;
}

/** Returns the visit of a line; undefined for a line that is none. */
export function readVisit(written: string): ReadVisit | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(written);
  } catch {
    return undefined;
  }
  const { data } = line.safeParse(parsed);
  if (data === undefined) return undefined;
  const { waited, connected, answered } = data;
  const durationMs = [waited, connected, answered].reduce<number>((sum, part) => sum + whole(part), 0);
  const visit = {
    projectId: data.project,
    at: Math.floor(data.t / 1_000),
    method: plain(data.method, 32),
    path: plain(data.path, 1_024),
    host: plain(data.host, 253),
    status: Math.min(whole(data.status), 999),
    bytes: whole(data.bytes),
    durationMs,
    address: toPlainText(data.address),
    userAgent: plain(data.agent, 256),
    referrer: plain(data.referrer, 256),
  };
  return { visit, atUs: data.t };
}

/** A time that did not come to be is -1 in HAProxy's words. */
function whole(value: number | null | undefined): number {
  return Math.max(0, Math.trunc(value ?? 0));
}

function plain(value: string | null | undefined, length: number): string {
  return toPlainText((value ?? "").slice(0, length));
}
