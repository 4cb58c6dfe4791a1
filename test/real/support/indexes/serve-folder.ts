/**
 * A program: serves the files of a folder at an address and port, and by `/-/asked` the paths that it was
 * asked for so far.
 */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";

const [folder = "", address, port] = process.argv.slice(2);
const asked: string[] = [];

createServer(async ({ url = "/" }, response) => {
  const path = decodeURIComponent(new URL(url, "http://unnamed").pathname); // without `..`, as URLs are read
  if (path === "/-/asked") return void response.end(JSON.stringify(asked));
  asked.push(path);
  const file = join(folder, path, path.endsWith("/") ? "index.html" : "");
  const content = await readFile(file).catch(() => null);
  if (content === null) return void response.writeHead(404).end("not here\n");
  response
    .writeHead(200, { "content-type": file.endsWith(".html") ? "text/html" : "application/octet-stream" })
    .end(content);
}).listen(Number(port), address);
