/** Reads a JSON body: its type, its size, its time, then its text. */

import type { IncomingMessage } from "node:http";
import { AppError } from "@tijolo/protocol";

const maxBytes = 256 * 1024;
const timeoutMs = 30_000;

/** Throws `unsupported_media_type`, `payload_too_large` or `invalid_request`. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new AppError("unsupported_media_type");
  const text = await readText(request);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid_request", { detail: "O corpo não é um JSON válido.", cause });
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => request.destroy(new AppError("invalid_request", { detail: "O corpo não chegou a tempo." })), timeoutMs);
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      if (size > maxBytes) throw new AppError("payload_too_large");
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("invalid_request", { detail: "O corpo chegou cortado.", cause });
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString("utf8");
}
