/**
 * Defines the recipe of Ruby with Bundler, and a compiler: what every web project needs (puma, nio4r, bcrypt)
 * is compiled as it is installed.
 */

import type { ImageSource } from "../recipe.ts";
import { debianBase, languageLayer } from "./debian.ts";

const compiler = ["g++", "gcc", "git", "libyaml-dev", "make"];

/** Commands of the version; Debian's own default is 3.3, which is installed with it. */
const commands = ["ruby", "bundle", "bundler", "erb", "gem", "irb", "rake"];

export const rubySources: Record<string, readonly ImageSource[]> = {
  "3.4": [
    {
      kind: "debian",
      why: "the one suite of Debian that has it; the layer is what it was built from",
      layers: [
        languageLayer({
          title: "Ruby 3.4",
          suites: ["sid", "experimental"],
          packages: ["ruby3.4", "ruby3.4-dev", ...compiler],
          links: commands.map((name) => ({ path: `usr/local/bin/${name}`, target: `/usr/bin/${name}3.4` })),
        }),
        debianBase("sid"),
      ],
    },
    {
      kind: "oci",
      why: "experimental moves on and drops it",
      reference: "docker.io/library/ruby:3.4-slim-trixie",
      packages: compiler,
    },
  ],
  "4.0": [
    {
      kind: "oci",
      why: "no suite of Debian has it",
      reference: "docker.io/library/ruby:4.0-slim-trixie",
      packages: compiler,
    },
  ],
};
