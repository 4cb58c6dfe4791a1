/** Writes a module proxy of Go (its GOPROXY protocol, as files) with a module that Debian has. */

import { join } from "node:path";
import { zipOf } from "../../../support/archives/zip-of.ts";
import { debianPackages, filesOf } from "../programs/fetched-packages.ts";
import type { ServedFolder } from "./served-folder.ts";

export const goModule = "github.com/google/uuid";
const version = "v1.6.0";

/** Returns the proxy's address. */
export async function writeGoProxy(folder: ServedFolder): Promise<string> {
  const name = "golang-github-google-uuid-dev";
  const files = await filesOf(join(await debianPackages(name, [name]), "usr/share/gocode/src", goModule));
  const place = `go/${goModule}/@v`;
  const archived = Object.entries(files).map(([path, content]): [string, Uint8Array] => [
    `${goModule}@${version}/${path}`,
    content,
  ]);
  await folder.write(`${place}/list`, `${version}\n`);
  await folder.write(
    `${place}/${version}.info`,
    JSON.stringify({ Version: version, Time: "2024-01-23T00:00:00Z" }),
  );
  await folder.write(`${place}/${version}.mod`, files["go.mod"] ?? "");
  await folder.write(`${place}/${version}.zip`, await zipOf(Object.fromEntries(archived)));
  return `${folder.origin}/go`;
}
