/** The shape of a handler for each operation of the table; a missing one, or a wrong answer, does not compile. */

import type {
  LogEvent,
  LogLine,
  OperationAnswer,
  OperationBody,
  OperationName,
  OperationParams,
  OperationQuery,
  Operations,
} from "@tijolo/protocol";
import type { Account } from "../app/caller.ts";
import type { IncomingFile } from "../objects/folder-objects.ts";

export interface ReceivedFile {
  file: IncomingFile;
  fileName: string;
}

/** What an operation was called with, after all checks of the edge. */
export interface Call<Name extends OperationName> {
  /** The caller's account; null for an operator, who only reaches `panel` operations. */
  account: Operations[Name]["access"] extends { kind: "key" } ? Account : Account | null;
  params: OperationParams<Name>;
  query: OperationQuery<Name>;
  body: OperationBody<Name>;
  upload: Operations[Name]["body"] extends { kind: "upload" } ? ReceivedFile : undefined;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
}

/** For an operation that answers events: the stream, and the page for callers that want one document. */
export interface EventAnswer {
  events(): AsyncIterable<LogEvent[]>;
  page(): Promise<{ lines: LogLine[]; nextCursor: string | null }>;
  wantsPage: boolean;
}

export type HandlerAnswer<Name extends OperationName> = Operations[Name]["answer"] extends { kind: "events" }
  ? EventAnswer
  : OperationAnswer<Name>;

export type Handlers = { [Name in OperationName]: (call: Call<Name>) => Promise<HandlerAnswer<Name>> };
