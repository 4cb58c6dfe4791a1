/**
 * Defines the shape of a handler for each operation of the table; a missing one, or a wrong answer, does not
 * compile.
 */

import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type {
  OperationAnswer,
  OperationBody,
  OperationName,
  OperationParams,
  OperationQuery,
  Operations,
  OperatorRole,
} from "@tijolo/protocol";
import type { z } from "zod";
import type { Actor, Caller, OperatorActor, Principal } from "../../app/identity/caller.ts";
import type { IncomingFile, ObjectRange } from "../../objects/objects.ts";

export interface ReceivedFile {
  file: IncomingFile;
  fileName: string;
}

/** A call of an operation after all checks of the edge. */
export interface Call<Name extends OperationName> {
  /**
   * Principal on whose behalf it is called; without an account for an operator; none in a public operation.
   */
  principal: Operations[Name]["access"] extends { kind: "public" }
    ? null
    : Operations[Name]["access"] extends { kind: "operator" }
      ? { account: null; actor: OperatorActor }
      : Operations[Name]["access"] extends { operator: OperatorRole }
        ? Principal | { account: null; actor: Actor }
        : Principal;
  caller: Caller | null;
  request: { headers: IncomingHttpHeaders; address: string };
  /** Sets a header of the answer. */
  setHeader(name: string, value: string | string[]): void;
  params: OperationParams<Name>;
  query: OperationQuery<Name>;
  body: OperationBody<Name>;
  upload: Operations[Name]["body"] extends { kind: "upload" } ? ReceivedFile : undefined;
  /**
   * Aborted when the caller disconnects, or may not call any more. Only for long requests: all others are
   * answered in any case.
   */
  signal: Operations[Name] extends
    | { body: { kind: "upload" } }
    | { answer: { kind: "events" } }
    | { answer: { kind: "bytes" } }
    | { answer: { kind: "text" } }
    | { waitsForHosts: true }
    ? AbortSignal
    : undefined;
}

/** A message of a stream of server-sent events. */
export interface StreamEvent {
  event: string;
  id?: string | undefined;
  data: unknown;
}

/** The answer of an operation with events: the stream, and the page for callers that want one document. */
export interface EventAnswer<Event extends StreamEvent = StreamEvent, Page = unknown> {
  events(): AsyncIterable<Event[]>;
  page(): Promise<Page>;
  wantsPage: boolean;
}

/** The answer of an operation with bytes: a file that is open until it is disposed of. */
export interface BytesAnswer extends Disposable {
  sha256: string;
  sizeBytes: number;
  /** Name for the caller's disk: no quotes, no characters beyond ASCII. */
  fileName: string;
  open(range: ObjectRange): Promise<Readable>;
}

/** The answer of an operation with text: a file that is made while it is sent. */
export interface TextAnswer {
  /** Name for the caller's disk: no quotes, no characters beyond ASCII. */
  fileName: string;
  /** Yields the text in pieces; nothing is read ahead of the reader. */
  content(): AsyncIterable<string>;
}

export type HandlerAnswer<Name extends OperationName> = Operations[Name]["answer"] extends {
  kind: "events";
  event: infer Event extends z.ZodType<StreamEvent>;
  page: infer Page extends z.ZodType;
}
  ? EventAnswer<z.output<Event>, z.output<Page>>
  : Operations[Name]["answer"] extends { kind: "bytes" }
    ? BytesAnswer
    : Operations[Name]["answer"] extends { kind: "text" }
      ? TextAnswer
      : OperationAnswer<Name>;

export type Handlers = { [Name in OperationName]: (call: Call<Name>) => Promise<HandlerAnswer<Name>> };
