/**
 * Lists the requests that central sends to a host over its bulk socket: one row each. Both ends derive from
 * this table what they send, check, answer and wait for, so a request without an answer does not compile.
 */

import { z } from "zod";
import { id } from "../values/id.ts";
import { imageNeed, imageOverride } from "../nouns/cluster/image.ts";
import { heldProject } from "./held-project.ts";
import { imageListItem, imagePruneItem, imagePullItem } from "./host-images.ts";
import { accessLines, hostLogItem, logRequest } from "./host-logs.ts";
import { hostHardware } from "../nouns/cluster/host-hardware.ts";
import { hostMachine, hostProjectState } from "../nouns/cluster/host-view.ts";
import { maxReplacedPathLength } from "../nouns/replaced-files.ts";
import { replacedRestoreItem, replacedSetItem } from "./replaced-files.ts";
import { count } from "../values/amounts.ts";
import { plainText } from "../values/plain-text.ts";

/** A schema of objects that are told apart by their `kind`. */
type Items<Value = unknown> = z.ZodType<Value> & z.core.$ZodTypeDiscriminable;

/**
 * How central waits for the batches of an answer after the first. `none`: the host may be silent for any
 * time. `each`: each batch has a deadline. `whole`: all batches together have one, too.
 */
export type AnswerDeadline = "none" | "each" | "whole";

export interface HostRequestRow<Input extends z.ZodObject = z.ZodObject, Item extends Items = Items> {
  /** First protocol version that has the request; a host that speaks an older one is not asked. */
  since: number;
  input: Input;
  /** One item of the answer; its `kind` belongs to this row alone. */
  item: Item;
  deadline(input: z.output<Input>): AnswerDeadline;
  /** True when the answer is a list, of which central accepts a limited number of items. */
  isList: boolean;
  /**
   * True when texts travel unchanged. Otherwise they are words of the host, which the agent makes plain
   * before it sends them.
   */
  isVerbatim: boolean;
}

const row = <Input extends z.ZodObject, Item extends Items>(definition: HostRequestRow<Input, Item>) =>
  definition;

const whole = () => "whole" as const;
/** Deadline per batch, for work on images, which may take any time and reports that it is running. */
const each = () => "each" as const;

export const hostRequests = {
  /** Lines of a project's log: a page, or, with `follow`, what is written from now on, too. */
  logs: row({
    since: 1,
    input: z.object({ projectId: id, query: logRequest }),
    item: hostLogItem,
    deadline: ({ query }) => (query.follow ? "none" : "whole"),
    isList: false,
    isVerbatim: true,
  }),
  /** Adds visits to the logs of sites. */
  "append-access": row({
    since: 6,
    input: accessLines,
    item: z.object({ kind: z.literal("access-appended") }),
    deadline: whole,
    isList: false,
    isVerbatim: false,
  }),
  /** The host itself, then its projects. */
  "describe-host": row({
    since: 1,
    input: z.object({}),
    item: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("host-machine"), machine: hostMachine }),
      z.object({ kind: z.literal("host-project"), project: hostProjectState }),
    ]),
    deadline: whole,
    isList: true,
    isVerbatim: false,
  }),
  /** Describes the hardware, for which the host runs programs of the system for some seconds. */
  "describe-hardware": row({
    since: 3,
    input: z.object({}),
    item: z.object({ kind: z.literal("host-hardware"), hardware: hostHardware }),
    deadline: whole,
    isList: false,
    isVerbatim: false,
  }),
  /** One project complete, as the host knows it, or, with null, all that central does not want there. */
  "held-projects": row({
    since: 1,
    input: z.object({ projectId: id.nullable() }),
    item: z.object({ kind: z.literal("held-project"), project: heldProject }),
    deadline: whole,
    isList: true,
    isVerbatim: true,
  }),
  /** Lists what is kept of the files of a project that new code replaced, the newest version first. */
  "list-replaced-files": row({
    since: 2,
    input: z.object({ projectId: id }),
    item: replacedSetItem,
    deadline: whole,
    isList: true,
    isVerbatim: false,
  }),
  /** Has files brought back at the project's next start; `path` null: all that the version replaced. */
  "restore-replaced-files": row({
    since: 2,
    input: z.object({
      projectId: id,
      versionNumber: count,
      path: plainText(maxReplacedPathLength).nullable(),
    }),
    item: replacedRestoreItem,
    deadline: whole,
    isList: false,
    isVerbatim: false,
  }),
  "list-images": row({
    since: 1,
    input: z.object({}),
    item: imageListItem,
    deadline: whole,
    isList: true,
    isVerbatim: false,
  }),
  "pull-images": row({
    since: 1,
    input: z.object({
      images: z.array(imageNeed).min(1).max(100),
      /**
       * Overrides as central sends them over the other socket, in its order: the host waits until it knows
       * the same.
       */
      overrides: z.array(imageOverride).max(200),
    }),
    item: imagePullItem,
    deadline: each,
    isList: false,
    isVerbatim: false,
  }),
  "prune-images": row({
    since: 1,
    input: z.object({}),
    item: imagePruneItem,
    deadline: each,
    isList: true,
    isVerbatim: false,
  }),
};

type Rows = typeof hostRequests;
export type HostRequestKind = keyof Rows;
export type HostRequestInput<Kind extends HostRequestKind> = Known<z.output<Rows[Kind]["input"]>>;
/** Type of an input without fields: zod's own says that it has none of any name, `kind` included. */
type Known<Input> = string extends keyof Input ? unknown : Input;
/** A request of one kind as it travels: its kind beside its input. */
export type HostQuestionOf<Kind extends HostRequestKind> = { kind: Kind } & HostRequestInput<Kind>;
export type HostQuestion = { [Kind in HostRequestKind]: HostQuestionOf<Kind> }[HostRequestKind];
/** An item of the answer to a request. */
export type HostItem<Kind extends HostRequestKind = HostRequestKind> = z.output<Rows[Kind]["item"]>;

const rows: readonly [string, HostRequestRow][] = Object.entries(hostRequests);

export const hostQuestion = unionOf(
  rows.map(([kind, { input }]) => input.extend({ kind: z.literal(kind) })),
) as Items<HostQuestion>;

export const hostItem = unionOf(rows.map(([, { item }]) => item)) as Items<HostItem>;

/** Returns the kinds of the items that the answer to a request may hold. */
export function itemKindsOf(kind: HostRequestKind): ReadonlySet<unknown> {
  return hostRequests[kind].item._zod.propValues?.["kind"] ?? new Set();
}

/** Makes a union. TypeScript cannot follow the rows into one type, so the callers name it. */
function unionOf(schemas: Items[]): Items {
  return z.discriminatedUnion("kind", schemas as [Items]);
}
