/** Writes a package index of Python (PEP 503) with packages that Debian has. */

import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { zipOf } from "../../../support/archives/zip-of.ts";
import { debianPackages, filesOf } from "../programs/fetched-packages.ts";
import type { ServedFolder } from "./served-folder.ts";

/** Beautiful Soup, what it needs, and the tool that builds projects. */
const packages = ["python3-bs4", "python3-soupsieve", "python3-typing-extensions"];
const wheels = { package: "python3-setuptools-whl", directory: "usr/share/python-wheels" };

/** Returns the address of its simple index. */
export async function writePythonIndex(folder: ServedFolder): Promise<string> {
  for (const name of packages) {
    const root = await debianPackages(name, [name]);
    const wheel = await wheelOf(await filesOf(join(root, "usr/lib/python3/dist-packages")));
    await publish(folder, wheel.name, wheel.content);
  }
  for (const [path, content] of Object.entries(
    await filesOf(join(await debianPackages(wheels.package, [wheels.package]), wheels.directory)),
  ))
    await publish(folder, basename(path), content);
  return `${folder.origin}/python/simple/`;
}

async function publish(folder: ServedFolder, file: string, content: Uint8Array): Promise<void> {
  const project = (file.split("-")[0] ?? "").replaceAll("_", "-").toLowerCase();
  const link = `<a href="/python/files/${file}#sha256=${createHash("sha256").update(content).digest("hex")}">${file}</a>`;
  await folder.write(`python/files/${file}`, content);
  await folder.write(
    `python/simple/${project}/index.html`,
    `<!DOCTYPE html><html><body>${link}</body></html>`,
  );
}

/**
 * Makes a wheel of one installed package of pure Python: its files again in the archive that they came from,
 * with a new list of them.
 */
async function wheelOf(files: Record<string, Uint8Array>): Promise<{ name: string; content: Uint8Array }> {
  const metadata = Object.keys(files).find((path) => path.endsWith(".dist-info/METADATA"));
  if (metadata === undefined) throw new Error(`no metadata in ${Object.keys(files).join()}`);
  const [information = ""] = metadata.split("/");
  const shipped = Object.entries(files).filter(([path]) => path !== `${information}/INSTALLER`);
  const record = `${information}/RECORD`;
  const lines = shipped.map(
    ([path, content]) =>
      `${path},sha256=${createHash("sha256").update(content).digest("base64url")},${content.length}`,
  );
  const content = await zipOf({
    ...Object.fromEntries(shipped),
    [record]: [...lines, `${record},,`, ""].join("\n"),
  });
  return { name: `${information.replace(/\.dist-info$/, "")}-py3-none-any.whl`, content };
}
