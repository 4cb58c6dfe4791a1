/** Writes a repository of Composer with a library that Debian has. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { zipOf } from "../../../support/archives/zip-of.ts";
import { debianPackages, filesOf } from "../programs/fetched-packages.ts";
import type { ServedFolder } from "./served-folder.ts";

const name = "erusev/parsedown";
const version = "1.7.4";

/** Returns the repository's address. */
export async function writeComposerRepository(folder: ServedFolder): Promise<string> {
  const files = await filesOf(
    join(await debianPackages("php-parsedown", ["php-parsedown"]), "usr/share/php/Parsedown"),
  );
  const archive = await zipOf(
    Object.fromEntries(Object.entries(files).map(([path, content]) => [`parsedown/${path}`, content])),
  );
  const file = `php/${version}.zip`;
  const dist = {
    type: "zip",
    url: `${folder.origin}/${file}`,
    shasum: createHash("sha1").update(archive).digest("hex"),
  };
  await folder.write(file, archive);
  const described = { name, version, dist, autoload: { classmap: ["Parsedown.php"] } };
  await folder.write("php/packages.json", JSON.stringify({ packages: { [name]: { [version]: described } } }));
  return `${folder.origin}/php`;
}
