/**
 * Provides the typed client of the HTTP interface: one method per operation of a table of routes. It reads no
 * environment: address, token and `fetch` are options. Of the operations it imports types alone, so a browser
 * that uses it loads no schema.
 */

import type { z } from "zod";
import { ConnectionError, readApiError } from "../contract/api-error.ts";
import { followEvents, type Reconnect } from "./follow-events.ts";
import type { OperationAnswer, OperationName, OperationParams, Operations } from "../contract/operations.ts";
import type { IdempotentOperation } from "../contract/operation.ts";
import type { Route, Routes } from "./routes.ts";
import { makeUploadBody, type UploadFile } from "../archive/upload-body.ts";

/**
 * Milliseconds after which a log time is settled: clocks differ, and a line is in its file a moment after its
 * time.
 */
const settledMs = 5_000;

export interface ClientOptions {
  /** Base URL with the `/api` prefix, without a slash at the end. */
  baseUrl: string;
  /** The API key; without one only public operations answer. */
  token?: string;
  /** Function used for requests. Default: the platform's own. */
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

/** Options of the operations whose description lists the header `Idempotency-Key`. */
export interface IdempotentCallOptions extends CallOptions {
  /** Key for which, for 24 hours, the same request gets the answer of the first one. */
  idempotencyKey?: string;
}

type OptionsOf<Name extends OperationName> = Operations[Name] extends IdempotentOperation
  ? IdempotentCallOptions
  : CallOptions;

/** The fields of an object schema; none for an empty one, whose type would forbid every field beside it. */
type Fields<Type> = { [Name in keyof Type as string extends Name ? never : Name]: Type[Name] };
type Optional<Schema> = Schema extends z.ZodType ? Partial<Fields<z.output<Schema>>> : never;
type BodyInput<Name extends OperationName> = Operations[Name]["body"] extends {
  kind: "json";
  schema: infer Schema extends z.ZodType;
}
  ? { body: z.input<Schema> }
  : Operations[Name]["body"] extends { kind: "upload"; fields: infer Fields }
    ? { fields: Optional<Fields>; file: UploadFile }
    : unknown;

/** Path parameters beside `query`, and `body` or `fields` and `file`, as the operation has them. */
export type CallInput<Name extends OperationName> = Fields<OperationParams<Name>> & {
  query?: Optional<Operations[Name]["query"]>;
} & BodyInput<Name>;

type EventOf<Name extends OperationName> = Operations[Name]["answer"] extends {
  kind: "events";
  event: infer Event extends z.ZodType;
}
  ? z.output<Event>
  : never;
type PageOf<Name extends OperationName> = Operations[Name]["answer"] extends {
  kind: "events";
  page: infer Page extends z.ZodType;
}
  ? z.output<Page>
  : never;

/**
 * A method for a stream. Called, it yields events until the server ends it or `signal` fires; `page` answers
 * one JSON document.
 */
export interface StreamMethod<Name extends OperationName> {
  (input: CallInput<Name>, options?: CallOptions & { reconnect?: Reconnect }): AsyncIterable<EventOf<Name>>;
  page(input: CallInput<Name>, options?: CallOptions): Promise<PageOf<Name>>;
}

/**
 * The client's methods. Each throws ApiError for an error answer, ConnectionError when none came, and the
 * signal's reason when aborted.
 */
export type Client = {
  [Name in OperationName]: Operations[Name]["answer"] extends { kind: "events" }
    ? StreamMethod<Name>
    : object extends CallInput<Name>
      ? (input?: CallInput<Name>, options?: OptionsOf<Name>) => Promise<OperationAnswer<Name>>
      : (input: CallInput<Name>, options?: OptionsOf<Name>) => Promise<OperationAnswer<Name>>;
};

/** Makes the client; `routes` comes from `routesOf(operations)`, which a build step may call beforehand. */
export function createClient(routes: Routes, options: ClientOptions): Client {
  const methods = Object.entries(routes).map(([name, route]) => [name, methodOf(options, route)]);
  return Object.fromEntries(methods) as Client;
}

/** A call as the methods see it, when types are gone. */
type AnyInput = Record<string, unknown> & {
  query?: Record<string, unknown>;
  body?: unknown;
  fields?: Record<string, unknown>;
  file?: UploadFile;
};

function methodOf(options: ClientOptions, route: Route): unknown {
  const { answer = "json" } = route;
  if (answer !== "events") {
    return async (input: AnyInput = {}, call: IdempotentCallOptions = {}) => {
      const response = await send(options, route, input, { accept: "application/json" }, call);
      switch (answer) {
        case "empty":
          return undefined;
        case "document":
          return await response.text();
        case "bytes":
        case "text":
          return response.body ?? new ReadableStream({ start: (controller) => controller.close() });
        case "json":
          return await readJson(response);
      }
    };
  }
  const follow = (input: AnyInput, call: CallOptions & { reconnect?: Reconnect } = {}) => {
    let openedAt = 0;
    const open = (lastEventId: string | undefined) => {
      openedAt = Date.now();
      const headers = {
        accept: "text/event-stream",
        ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
      };
      return send(options, route, input, headers, call);
    };
    const until = Date.parse(String(input.query?.["until"])); // NaN, which is never over, without one
    // What is opened after the end brings all that there is.
    const isOver = ({ broughtNothing }: { broughtNothing: boolean }) =>
      openedAt > until + settledMs || (broughtNothing && Date.now() > until);
    return followEvents(open, { ...call, isOver });
  };
  const page = async (input: AnyInput, call: CallOptions = {}) => {
    const query = { ...input.query, follow: false };
    return readJson(await send(options, route, { ...input, query }, { accept: "application/json" }, call));
  };
  return Object.assign(follow, { page });
}

async function send(
  options: ClientOptions,
  route: Route,
  input: AnyInput,
  headers: Record<string, string>,
  { signal, idempotencyKey }: IdempotentCallOptions,
): Promise<Response> {
  const request: RequestInit & { duplex?: "half" } = {
    method: route.method,
    ...(signal === undefined ? {} : { signal }),
  };
  const sent: Record<string, string> = {
    ...headers,
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
  };
  if (idempotencyKey !== undefined) sent["idempotency-key"] = idempotencyKey;
  if (route.body === "json") {
    request.body = JSON.stringify(input.body);
    sent["content-type"] = "application/json";
  } else if (route.body === "upload" && input.file !== undefined) {
    const upload = makeUploadBody(textFields(input.fields ?? {}), input.file);
    request.body = upload.body;
    request.duplex = "half";
    Object.assign(sent, upload.headers);
  }
  let response: Response;
  try {
    const fetch = options.fetch ?? globalThis.fetch;
    response = await fetch(`${options.baseUrl}${pathOf(route, input)}`, { ...request, headers: sent });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ConnectionError(`no answer from ${options.baseUrl}`, { cause });
  }
  if (!response.ok) throw await readApiError(response);
  return response;
}

/** Returns path and query of a call, below `baseUrl`. Throws TypeError when a parameter of the path is missing. */
export function pathOf(
  route: Route,
  input: Record<string, unknown> & { query?: Record<string, unknown> },
): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (input[name] === undefined) throw new TypeError(`${route.method} ${route.path} needs ${name}`);
    return encodeURIComponent(String(input[name]));
  });
  const query = new URLSearchParams([...textFields(input.query ?? {})]).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** Returns values as text, lists with commas; those that are undefined or null are left out. */
function textFields(fields: Record<string, unknown>): Map<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return new Map(given.map(([name, value]) => [name, String(value)]));
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new ConnectionError("the answer was cut off or is not JSON", { cause });
  }
}
