/**
 * A jar made of Java sources by the compiler of Debian's JDK, in an image of the tests' own: hosts have the
 * runtime alone.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianBase, languageLayer } from "../../../../agent/src/images/recipes/debian.ts";
import { openKeptImages } from "../images/kept-images.ts";
import { runScriptInImage } from "../images/run-in-image.ts";

const compiler = languageLayer({
  title: "JDK 21 of the tests",
  suites: ["trixie"],
  packages: ["openjdk-21-jdk-headless"],
});

/** Builds a jar as the README of `examples/site-java` describes. `source` is that of a class `Main`. */
export async function javaJar(source: string | Uint8Array): Promise<Uint8Array> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-jar-"));
  const store = await openKeptImages({
    findRecipe: (language, version) => ({
      language,
      version,
      sources: [{ kind: "debian", why: "compiles", layers: [compiler, debianBase("trixie")] }],
    }),
  });
  try {
    const { layers } = await store.ensure({ language: "java", version: "21", systemPackages: [] });
    const script = `cd /tmp; echo ${Buffer.from(source).toString("base64")} | base64 --decode > Main.java
      javac --release 21 -d out Main.java; jar --create --file site.jar --main-class Main -C out .; base64 site.jar`;
    return Buffer.from(await runScriptInImage(directory, layers, script), "base64");
  } finally {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  }
}
