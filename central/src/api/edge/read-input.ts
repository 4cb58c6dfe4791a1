/** Reads an operation's input: path, query and body, each by its schema. */

import { AppError, isResumable, type Operation } from "@tijolo/protocol";
import { inputProblems, requestDetails } from "@tijolo/protocol/texts/central";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Principal } from "../../app/identity/caller.ts";
import type { AppContext } from "../../app/context.ts";
import { hasAnswer } from "../../app/limits/idempotency.ts";
import type { UploadSlot } from "../../app/limits/upload-slots.ts";
import { problemOf } from "../../app/input-problem.ts";
import { inputParsing } from "../../app/input-reason.ts";
import { planOf } from "../../app/accounts/plan-of.ts";
import { invalidConfig } from "../../app/uploads/upload-config.ts";
import type { ApiBounds } from "./api-bounds.ts";
import type { ReceivedFile } from "../handlers/handlers.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import { readJsonBody } from "./json-body.ts";
import { readUpload } from "./upload-body.ts";

export interface ReceivedBody {
  body: unknown;
  /** Upload, which the receiver must discard. */
  upload: ReceivedFile | undefined;
  /** Slot of an upload: it must be told whether the upload was a replay, unless its caller may not go on. */
  slot?: Pick<UploadSlot, "settle">;
}

/** Body of an operation without one. */
export const noBody: ReceivedBody = { body: undefined, upload: undefined };

export function readParams(operation: Operation, request: FastifyRequest): unknown {
  return parse(operation.params, request.params);
}

export function readQuery(operation: Operation, request: FastifyRequest): unknown {
  const given = request.query as object;
  const cursor = lastEventIdOf(operation, request);
  const query = cursor === undefined ? given : { ...given, cursor };
  assertNoneRepeated(query);
  return parse(operation.query, query);
}

/** Returns a stream's cursor from the header `Last-Event-ID`; an empty one is none. */
function lastEventIdOf(operation: Operation, request: FastifyRequest): string | undefined {
  const lastEventId = request.headers["last-event-id"];
  return isResumable(operation) && typeof lastEventId === "string" && lastEventId !== ""
    ? lastEventId
    : undefined;
}

/** Names the header in the error of a cursor that came by `Last-Event-ID`. */
export function namedAsSent(operation: Operation, request: FastifyRequest, cause: unknown): unknown {
  const isOfCursor =
    cause instanceof AppError && cause.code === "invalid_request" && cause.extra.field === "cursor";
  if (!isOfCursor || lastEventIdOf(operation, request) === undefined) return cause;
  const header = "Last-Event-ID";
  const { detail } = cause;
  return new AppError(cause.code, {
    extra: { field: header },
    ...(detail === null
      ? {}
      : { detail: { pt: detail.pt.replace("cursor", header), en: detail.en.replace("cursor", header) } }),
    cause,
  });
}

/** Throws when a parameter came more than once, which makes it a list. */
function assertNoneRepeated(query: object): void {
  const field = Object.entries(query)
    .find(([, value]) => Array.isArray(value))?.[0]
    .slice(0, 100);
  if (field === undefined) return;
  throw new AppError("invalid_request", { extra: { field }, detail: requestDetails.repeatedField(field) });
}

/** Reads the body. Whether an account may upload now is checked before the first byte is read. */
export async function readBody(
  app: AppContext,
  operation: Operation,
  call: {
    request: FastifyRequest;
    account: Principal["account"] | null;
    signal: AbortSignal;
    bounds: ApiBounds;
  },
): Promise<ReceivedBody> {
  const { request, account, bounds } = call;
  const { body } = operation;
  switch (body.kind) {
    case "none":
      return noBody;
    case "json":
      return {
        body: parse(body.schema, await readJsonBody(request.raw, bounds.jsonBodyMs)),
        upload: undefined,
      };
    case "upload": {
      if (account === null) throw new AppError("not_authenticated");
      const key = idempotencyKeyOf(operation, request);
      const isRetry = key !== null && (await hasAnswer(app, { accountId: account.id, key }));
      using slot = app.uploadSlots.begin(account.id, isRetry);
      let hasFile = false;
      try {
        return {
          ...(await readUploadBody(app, body.fields, {
            ...call,
            account,
            onFile: () => void (hasFile = true),
          })),
          slot,
        };
      } catch (error) {
        if (hasFile) slot.settle(false);
        else slot.withdraw();
        throw error;
      }
    }
  }
}

async function readUploadBody(
  app: AppContext,
  schema: z.ZodType,
  call: {
    request: FastifyRequest;
    account: Principal["account"];
    signal: AbortSignal;
    bounds: ApiBounds;
    onFile: () => void;
  },
): Promise<ReceivedBody> {
  const { request, account, signal, bounds, onFile } = call;
  const limitMb = planOf(app, account.plan).zipMb;
  const times = {
    idleMs: bounds.uploadIdleMs,
    totalMs: bounds.uploadBaseMs + bounds.uploadMsPerMb * limitMb,
  };
  const { upload, fields } = await readUpload(request.raw, app.objects, {
    limitMb,
    signal,
    ...times,
    onFile,
  }).catch((cause: unknown) => {
    // A caller that may not go on is told so, not that the upload broke off.
    throw signal.reason instanceof AppError ? signal.reason : cause;
  });
  const parsed = schema.safeParse(fields, inputParsing);
  if (parsed.success) return { body: parsed.data, upload };
  await app.objects.discard(upload.file);
  throw invalidConfig(parsed.error);
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value, inputParsing);
  if (!parsed.success)
    throw new AppError(
      "invalid_request",
      problemOf(parsed.error, { pt: inputProblems.pt.body, en: inputProblems.en.body }),
    );
  return parsed.data;
}
