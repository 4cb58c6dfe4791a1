/**
 * Reads a multipart upload: the .zip streamed to disk, never whole in memory, and the text fields beside it.
 */

import type { IncomingMessage } from "node:http";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import { AppError, type Words } from "@tijolo/protocol";
import { requestDetails } from "@tijolo/protocol/texts/central";
import { ObjectTooLargeError, type IncomingFile, type ObjectStore } from "../../objects/objects.ts";
import { isEncoded } from "./content-encoding.ts";
import type { ReceivedFile } from "../handlers/handlers.ts";

export interface UploadBody {
  upload: ReceivedFile;
  fields: Record<string, string>;
}

type ReceivingObjects = Pick<ObjectStore, "receive" | "discard">;

const maxFields = 40;
const maxFieldBytes = 8 * 1024;

/**
 * Reads the upload. Throws `unsupported_media_type` (no multipart), `invalid_zip` (413 over `limitMb`),
 * `invalid_request` (no file, cut off, too slow, malformed). Nothing stays on disk then. The caller owns the
 * received file: it keeps or discards it. `onFile` is called when the file begins to arrive.
 */
export async function readUpload(
  request: IncomingMessage,
  objects: ReceivingObjects,
  options: { limitMb: number; signal: AbortSignal; idleMs: number; totalMs: number; onFile: () => void },
): Promise<UploadBody> {
  const parser = openParser(request);
  const received: { file: Promise<ReceivedFile> | null; stream: Readable | null } = {
    file: null,
    stream: null,
  };
  let problem: Error | null = null;
  const refuse = (error: Error) => {
    problem ??= error;
    request.unpipe(parser);
    parser.destroy(error);
    // The parser does not end the file that it was in the middle of.
    received.stream?.destroy(error);
  };

  parser.on("file", (field: string, stream: Readable, fileName: string | undefined) => {
    if (field !== "file" || received.file !== null) {
      stream.resume();
      refuse(
        new AppError("invalid_request", {
          extra: { field },
          detail: requestDetails.manyFiles,
        }),
      );
      return;
    }
    options.onFile();
    received.stream = stream;
    received.file = receive(stream, objects, options).then((file) => ({ file, fileName: fileName ?? "" }));
    received.file.catch((cause: unknown) => refuse(translate(cause, options.limitMb)));
  });
  const fields = collectFields(parser, refuse);

  using _watch = watchSender(request, parser, { ...options, refuse });
  try {
    request.pipe(parser);
    await finished(parser);
    if (problem !== null) throw problem;
    if (received.file === null)
      throw new AppError("invalid_request", {
        extra: { field: "file" },
        detail: requestDetails.noFile,
      });
    return { upload: await received.file, fields };
  } catch (cause) {
    await discard(received.file, objects);
    throw problem ?? translate(cause, options.limitMb);
  }
}

/** Returns the form's fields, which fill as they arrive; refuses fields that are repeated, too long or too many. */
function collectFields(
  parser: InstanceType<typeof Busboy>,
  refuse: (error: Error) => void,
): Record<string, string> {
  // Without a prototype: a field may be called __proto__.
  const fields = Object.create(null) as Record<string, string>;
  parser.on("field", (name: string, value: string, isNameCut: boolean, isValueCut: boolean) => {
    if (isNameCut || isValueCut || Object.hasOwn(fields, name)) {
      refuse(
        new AppError("invalid_request", {
          extra: { field: name.slice(0, 100) },
          detail: requestDetails.badFormField,
        }),
      );
    } else {
      fields[name] = value;
    }
  });
  parser.on("fieldsLimit", () => refuse(refusal(requestDetails.manyFormFields)));
  parser.on("partsLimit", () => refuse(refusal(requestDetails.manyFormParts)));
  return fields;
}

/** Refuses a sender that disconnects, falls silent, or takes too long in all. */
function watchSender(
  request: IncomingMessage,
  parser: Writable,
  { idleMs, totalMs, refuse }: { idleMs: number; totalMs: number; refuse: (error: AppError) => void },
): Disposable {
  let steps = 0;
  const idle = setTimeout(() => {
    // Once more what has arrived is read: the one held up may have been this process.
    const seen = steps;
    setImmediate(() => {
      if (steps !== seen) return;
      // What came is not written yet: the sender waits for the disk, which only the deadline bounds.
      if (parser.writableLength > 0 || request.readableEnded) idle.refresh();
      else refuse(refusal(requestDetails.uploadStopped));
    });
  }, idleMs);
  const deadline = setTimeout(() => refuse(refusal(requestDetails.uploadTooSlow)), totalMs);
  const onStep = () => {
    steps += 1;
    idle.refresh();
  };
  const onCut = () => refuse(refusal(requestDetails.uploadCutOff));
  request.on("data", onStep);
  parser.on("drain", onStep);
  request.once("aborted", onCut);
  if (request.destroyed && !request.readableEnded) onCut();
  return {
    [Symbol.dispose]() {
      steps += 1;
      clearTimeout(idle);
      clearTimeout(deadline);
      request.off("data", onStep).off("aborted", onCut);
      parser.off("drain", onStep);
    },
  };
}

function refusal(detail: Words): AppError {
  return new AppError("invalid_request", { detail });
}

function openParser(request: IncomingMessage): InstanceType<typeof Busboy> {
  const type = request.headers["content-type"];
  if (type === undefined || !/^multipart\/form-data\s*;/i.test(type) || isEncoded(request)) {
    throw new AppError("unsupported_media_type", {
      detail: requestDetails.notMultipart,
    });
  }
  try {
    return new Busboy({
      headers: { ...request.headers, "content-type": type },
      isPartAFile,
      limits: {
        fields: maxFields,
        fieldSize: maxFieldBytes,
        fieldNameSize: 100,
        parts: maxFields + 2,
        headerPairs: 50,
      },
    });
  } catch (cause) {
    throw new AppError("invalid_request", {
      detail: requestDetails.badMultipartHeader,
      cause,
    });
  }
}

/**
 * True for a part that is read as a file: the archive's field, which needs no file name, and any part with a
 * file name or a binary type.
 */
function isPartAFile(
  field: string | undefined,
  contentType: string | undefined,
  fileName: string | undefined,
): boolean {
  return field === "file" || fileName !== undefined || contentType === "application/octet-stream";
}

function receive(
  stream: Readable,
  objects: ReceivingObjects,
  options: { limitMb: number; signal: AbortSignal },
): Promise<IncomingFile> {
  return objects.receive(stream, { maxBytes: options.limitMb * 1024 * 1024, signal: options.signal });
}

async function discard(receiving: Promise<ReceivedFile> | null, objects: ReceivingObjects): Promise<void> {
  const received = await receiving?.catch(() => null);
  if (received != null) await objects.discard(received.file);
}

function translate(cause: unknown, limitMb: number): Error {
  // What the disk refuses is not the caller's fault.
  if (cause instanceof AppError || (cause instanceof Error && "syscall" in cause)) return cause;
  if (cause instanceof ObjectTooLargeError) {
    return new AppError("invalid_zip", {
      status: 413,
      extra: { limitMb },
      detail: requestDetails.zipTooLarge(limitMb),
      cause,
    });
  }
  return new AppError("invalid_request", {
    detail: requestDetails.badMultipart,
    cause,
  });
}
