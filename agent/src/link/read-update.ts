/**
 * Reads what central wants of this host, an assignment at a time: one that this agent cannot read, because it
 * is older or newer than central, stops no other one.
 */

import { assignment, desiredUpdate, id, type Assignment, type DesiredUpdate } from "@tijolo/protocol";
import { z } from "zod";
import type { Ledger } from "../ledger/ledger.ts";

const { imageOverrides } = desiredUpdate.shape;
const envelope = desiredUpdate.extend({
  upserts: z.array(z.unknown()),
  imageOverrides: z.unknown().optional(),
});
const ofProject = z.looseObject({ projectId: id });

/**
 * The part of the host's state that stays as it was. `reason` names where the update is wrong, and nothing of
 * what it contains, as variables may be in it.
 */
export type Unread = { projectId: string; reason: string } | { kind: "image overrides"; reason: string };

export type ReadUpdate = { update: DesiredUpdate; unread: Unread[] } | { update: null; reason: string };

/** Reads an update. An assignment that cannot be read is replaced by the ledger's, if any. */
export function readUpdate(
  received: unknown,
  ledger: Pick<Ledger, "assignments" | "departures">,
): ReadUpdate {
  const parsed = envelope.safeParse(received);
  if (!parsed.success) return { update: null, reason: describeIssue(parsed.error) };
  const { imageOverrides: overrides, ...rest } = parsed.data;
  const unread: Unread[] = [];
  const upserts: Assignment[] = [];
  for (const each of rest.upserts) {
    const read = assignment.safeParse(each);
    if (read.success) {
      upserts.push(read.data);
      continue;
    }
    const reason = describeIssue(read.error);
    const { projectId } = ofProject.safeParse(each).data ?? {};
    const held = ledger.assignments().find((known) => known.projectId === projectId);
    if (projectId === undefined || (held === undefined && ledger.departures().has(projectId))) {
      return { update: null, reason: `${reason}, and without it files of its project would go` };
    }
    unread.push({ projectId, reason });
    if (held !== undefined) upserts.push(held);
  }
  const known = imageOverrides.safeParse(overrides);
  if (!known.success) unread.push({ kind: "image overrides", reason: describeIssue(known.error) });
  return {
    update: { ...rest, upserts, ...(known.data === undefined ? {} : { imageOverrides: known.data }) },
    unread,
  };
}

function describeIssue({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return "unknown";
  const { path } = issue;
  return `${issue.code} at ${path.slice(0, path[0] === "variables" ? 1 : 2).join(".")}`;
}
