/** Reads a JSON body and checks its type, its size, its time, then its text. */

import type { IncomingMessage } from "node:http";
import { AppError } from "@tijolo/protocol";
import { requestDetails } from "@tijolo/protocol/texts/central";
import { isEncoded } from "./content-encoding.ts";

const maxBytes = 256 * 1024;

/** Reads the body. Throws `unsupported_media_type`, `payload_too_large` or `invalid_request`. */
export async function readJsonBody(request: IncomingMessage, timeoutMs: number): Promise<unknown> {
  if (!hasBody(request)) {
    throw new AppError("invalid_request", {
      detail: requestDetails.noJson,
    });
  }
  if (!isPlainJson(request))
    throw new AppError("unsupported_media_type", { detail: requestDetails.notPlainJson });
  const bytes = await readBytes(request, timeoutMs);
  try {
    const text = utf8.decode(bytes);
    return JSON.parse(text, mayNameProto.test(text) ? refuseProto : undefined);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    // What JSON.parse throws quotes the text around the fault, which may be a secret.
    throw new AppError("invalid_request", {
      detail: requestDetails.badJson,
    });
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function isPlainJson(request: IncomingMessage): boolean {
  const [type, ...parameters] = (request.headers["content-type"] ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((parameter) => parameter.startsWith("charset="));
  return (
    type === "application/json" &&
    charsets.every((charset) => /^charset=("?)utf-?8\1$/.test(charset)) &&
    !isEncoded(request)
  );
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Matches text that may name `__proto__`, as it is or with an escape in it. To check each field costs more
 * than all the rest.
 */
const mayNameProto = /__proto__|\\u/;

/** Refuses a field named `__proto__`, which schemas would leave out silently. */
function refuseProto(key: string, value: unknown): unknown {
  if (key !== "__proto__") return value;
  throw new AppError("invalid_request", {
    detail: requestDetails.protoField,
  });
}

/**
 * Reads the body by events, not by `for await`: that would destroy the request, and with it the connection on
 * which the refusal is sent.
 */
function readBytes(request: IncomingMessage, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // A second time it changes nothing.
    const finish = (error: AppError | null) => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("close", onCut);
      if (error === null) resolve(Buffer.concat(chunks));
      else reject(error);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) finish(new AppError("payload_too_large"));
      else chunks.push(chunk);
    };
    const onEnd = () => finish(null);
    const onCut = () =>
      finish(
        new AppError("invalid_request", {
          detail: requestDetails.bodyCutOff,
        }),
      );
    const onTimeout = () =>
      finish(
        new AppError("invalid_request", {
          detail: requestDetails.bodyTooSlow,
        }),
      );
    // What came while this process was held up is read first: the sender is not to blame for that.
    const timer = setTimeout(() => setImmediate(onTimeout), timeoutMs);
    request.on("data", onData).once("end", onEnd).once("close", onCut);
  });
}
