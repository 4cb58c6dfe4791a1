/** Reads responses of a registry or token server: small bodies whole, refusals as errors in its own words. */

import { firstOf, parseRetryAfter, PassingError } from "@tijolo/protocol/kit";
import type { Dispatcher } from "undici";
import { OciError } from "./oci-error.ts";

export interface RegistryResponse {
  statusCode: number;
  headers: Dispatcher.ResponseData["headers"];
  /** Body, which must be read to its end or destroyed. */
  body: Dispatcher.ResponseData["body"];
}

const maxErrorBytes = 16_384;

/** Returns the error for a response that is no success, with the registry's own words where it has some. */
export async function failureOf(response: RegistryResponse, sentence: string, now: Date): Promise<Error> {
  const { statusCode, headers } = response;
  const words = await readBody(response, maxErrorBytes).then(registryWords, () => "");
  const message = words === "" ? sentence : `${sentence}: ${words}`;
  const isPassing = statusCode >= 500 || [408, 425, 429].includes(statusCode);
  if (isPassing)
    return new PassingError(message, {
      retryAfterMs: parseRetryAfter(firstOf(headers["retry-after"]), now.getTime()),
    });
  return new OciError("refused", message);
}

/** Reads a small body; throws {@link OciError} where it is larger than `maxBytes`. */
export async function readBody(response: RegistryResponse, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes)
        throw new OciError("unsafe", `an answer of the registry is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof OciError) throw cause;
    throw new PassingError("the registry's answer was cut", { cause });
  } finally {
    discard(response);
  }
  return Buffer.concat(chunks);
}

export function discard(response: RegistryResponse): void {
  response.body.on("error", () => {}).destroy();
}

export function allOf(header: string | string[] | undefined): string[] {
  return header === undefined ? [] : [header].flat();
}

/** Returns the message of a body `{"errors": [{"code", "message"}]}` on one line. */
function registryWords(body: Buffer): string {
  try {
    const { errors } = JSON.parse(body.toString("utf8")) as {
      errors?: { code?: unknown; message?: unknown }[];
    };
    const [first] = errors ?? [];
    const words = [first?.code, first?.message].filter((word) => typeof word === "string").join(", ");
    return words.replaceAll(/[^ -~]+/g, " ").slice(0, 200);
  } catch {
    return "";
  }
}
