/**
 * Serves a static site: files, index.html, ranges, ETags, compressed files, and the site's own 404.html or,
 * for an app of one page, its index.html.
 */

import { createReadStream, readlinkSync, realpathSync, type ReadStream } from "node:fs";
import { Http2ServerRequest, Http2ServerResponse, type ServerHttp2Stream } from "node:http2";
import { relative } from "node:path";
import { pipeline } from "node:stream/promises";
import send from "send";
import type { StaticTarget } from "./ingress-options.ts";
import { isCompressible, isImmutable } from "../sites/served-names.ts";
import { findCompressed } from "./compressed-file.ts";
import { findStaticFile, isInside, type StaticFile } from "./static-file.ts";
import { awaitsAnswer, fail, type StreamVisit } from "./stream-visit.ts";

/** Resolves when the answer has been begun or given. */
export async function serveStatic(visit: StreamVisit, target: StaticTarget): Promise<void> {
  const { stream, headers } = visit;
  const method = headers[":method"];
  stream.resume();
  if (method !== "GET" && method !== "HEAD")
    return stream.respond({ ":status": 405, allow: "GET, HEAD" }, { endStream: true });
  const [urlPath = "/", query] = (headers[":path"] ?? "/").split(/\?(.*)/s, 2);
  const file = await findAnswer(target, { urlPath, accept: headers.accept });
  if (!awaitsAnswer(stream)) return;
  switch (file.kind) {
    case "file":
      return sendFile(visit, file, target);
    case "directory": {
      const location = `${urlPath.replace(/^\/{2,}/, "/")}/${query === undefined ? "" : `?${query}`}`;
      return stream.respond({ ":status": 308, location }, { endStream: true });
    }
    case "missing":
      return sendMissing(stream, method, target);
  }
}

/**
 * Finds the file for an address. An app of one page answers an address that names no file with index.html.
 */
async function findAnswer(
  target: StaticTarget,
  { urlPath, accept }: { urlPath: string; accept: string | undefined },
): Promise<StaticFile> {
  const file = await findStaticFile(target, urlPath);
  if (target.isSpa !== true || file.kind === "file" || !isAddress(urlPath, accept)) return file;
  if (file.kind === "directory" && (await findStaticFile(target, `${urlPath}/`)).kind === "file") return file;
  return findStaticFile(target, "/index.html");
}

/**
 * True for an address of the app itself. A missing script or picture stays missing: a page in its place would
 * be an error that nobody understands.
 */
function isAddress(urlPath: string, accept = ""): boolean {
  return accept.includes("text/html") || !/\.[^./]+$/.test(urlPath);
}

async function sendFile(
  { stream, headers, guard }: StreamVisit,
  file: StaticFile & { kind: "file" },
  { compressed }: StaticTarget,
): Promise<void> {
  const name = relative(file.root, file.path);
  const encoded = await findCompressed(compressed, name, headers);
  if (!awaitsAnswer(stream)) return;
  const { root, path } = encoded ?? file;
  const request = new Http2ServerRequest(stream, headers, {}, []);
  const response = new Http2ServerResponse(stream);
  response.setHeader("cache-control", isImmutable(name) ? "public, max-age=31536000, immutable" : "no-cache");
  if (compressed !== undefined && isCompressible(name)) response.setHeader("vary", "accept-encoding");
  if (encoded !== undefined) {
    response.setHeader("content-encoding", encoded.encoding);
    response.setHeader("etag", encoded.etag);
  }
  const encodedPath = relative(root, path).split("/").map(encodeURIComponent).join("/");
  const sending = send(request, `/${encodedPath}`, { root, dotfiles: "allow", index: false });
  const refuse = guard((error: { statusCode?: number }) => {
    const range = response.getHeader("content-range");
    if (!awaitsAnswer(stream) || (error.statusCode !== 412 && error.statusCode !== 416))
      return fail(stream, "file_not_found");
    stream.respond(
      { ":status": error.statusCode, ...(range === undefined ? {} : { "content-range": range }) },
      { endStream: true },
    );
  });
  const watch = guard((content: ReadStream) => {
    // What was opened is what counts: a link may have taken the file's place since it was looked at.
    const check = guard((fd: number) => {
      if (!isInside(root, placeOf(fd, path))) content.destroy(new Error("the file is outside of its site"));
    });
    const close = guard(() => void content.destroy());
    content.once("open", check);
    stream.once("close", close);
  });
  const missing = guard(() => fail(stream, "file_not_found"));
  sending.on("error", refuse).on("directory", missing).on("stream", watch);
  sending.pipe(response);
}

/** Returns the path of an open file; without /proc (macOS, for development) the real path of `path`. */
function placeOf(fd: number, path: string): string {
  return process.platform === "linux" ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync(path);
}

async function sendMissing(stream: ServerHttp2Stream, method: string, target: StaticTarget): Promise<void> {
  const page = await findStaticFile(target, "/404.html");
  if (!awaitsAnswer(stream)) return;
  if (page.kind !== "file") return fail(stream, "file_not_found");
  stream.respond(
    { ":status": 404, "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" },
    { endStream: method === "HEAD" },
  );
  if (method === "HEAD") return;
  await pipeline(createReadStream(page.path), stream);
}
