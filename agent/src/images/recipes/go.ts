/**
 * Defines the recipe of Go: the compiler, and git for modules that come from a repository. Without a C
 * compiler Go turns cgo off; the system package build-essential turns it on.
 */

import type { ImageSource } from "../recipe.ts";
import { debianBase, languageLayer } from "./debian.ts";

/**
 * Go ships its standard library as source, and compiling it takes a first project a minute and more of two
 * cores. Here it is compiled once per image, to where projects find it by the same GODEBUG
 * (agent/src/languages/go.ts). Less garbage collection saves a fifth of the processor time; the largest
 * package then takes 430 MB instead of 300.
 */
const compileStandardLibrary = [
  "env",
  "HOME=/tmp",
  "GODEBUG=installgoroot=all",
  "GOGC=400",
  "GOTOOLCHAIN=local",
  "/usr/local/bin/go",
  "install",
  "std",
];

export const goSources: Record<string, readonly ImageSource[]> = {
  "1.26": sourcesOf("1.26"),
  "1.27": sourcesOf("1.27"),
};

function sourcesOf(version: string): readonly ImageSource[] {
  const layer = languageLayer({
    title: `Go ${version}`,
    suites: ["trixie", "trixie-backports"],
    packages: [`golang-${version}-go`, "git"],
    links: ["go", "gofmt"].map((name) => ({
      path: `usr/local/bin/${name}`,
      target: `/usr/lib/go-${version}/bin/${name}`,
    })),
    finish: compileStandardLibrary,
  });
  return [
    {
      kind: "debian",
      why: "trixie has 1.24; backports has both, on the base of the other languages",
      layers: [layer, debianBase("trixie")],
    },
    {
      kind: "oci",
      why: "backports drops a version once Debian moves to the next",
      reference: `docker.io/library/golang:${version}-trixie`,
      packages: [],
    },
  ];
}
