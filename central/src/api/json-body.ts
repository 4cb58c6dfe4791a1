/** Reads a JSON body: its type, its size, its time, then its text. */

import type { IncomingMessage } from "node:http";
import { AppError } from "@tijolo/protocol";

const maxBytes = 256 * 1024;

/** Throws `unsupported_media_type`, `payload_too_large` or `invalid_request`. */
export async function readJsonBody(request: IncomingMessage, timeoutMs: number): Promise<unknown> {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new AppError("unsupported_media_type");
  const text = await readText(request, timeoutMs);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid_request", { detail: "O corpo não é um JSON válido.", cause });
  }
}

/** Not by `for await`: that would destroy the request, and with it the connection on which the refusal is to go out. */
function readText(request: IncomingMessage, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (error: AppError | null) => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("close", onCut);
      if (error === null) resolve(Buffer.concat(chunks).toString("utf8"));
      else reject(error);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) finish(new AppError("payload_too_large"));
      else chunks.push(chunk);
    };
    const onEnd = () => finish(null);
    const onCut = () => finish(new AppError("invalid_request", { detail: "O corpo chegou cortado." }));
    const onTimeout = () => finish(new AppError("invalid_request", { detail: "O corpo não chegou a tempo." }));
    const timer = setTimeout(onTimeout, timeoutMs);
    request.on("data", onData).once("end", onEnd).once("close", onCut);
  });
}
