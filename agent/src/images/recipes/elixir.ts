/**
 * Defines the recipe of Elixir: the parts of Erlang's library that are compiled against and run, and git for
 * dependencies from a repository. It leaves out Debian's rebar3, which brings 700 MB of windows and browsers
 * along: `mix local.rebar` fetches it where a dependency wants it.
 */

import type { ImageSource } from "../recipe.ts";
import { debianBase, languageLayer } from "./debian.ts";

export const elixirSources: Record<string, readonly ImageSource[]> = {
  "1.20": [
    {
      kind: "debian",
      why: "becomes Debian 14; trixie has 1.18",
      layers: [
        languageLayer({
          title: "Elixir 1.20",
          suites: ["forky"],
          packages: [
            "elixir",
            "erlang-dev",
            "erlang-os-mon",
            "erlang-runtime-tools",
            "erlang-ssl",
            "erlang-xmerl",
            "git",
          ],
        }),
        debianBase("forky"),
      ],
    },
    {
      kind: "oci",
      why: "should forky have moved on to the next version",
      reference: "docker.io/library/elixir:1.20-slim",
      packages: ["git"],
    },
  ],
};
