/**
 * Defines the recipe of Python with pip and venv, and the headers that modules without a ready wheel are
 * compiled against (by the system package build-essential).
 */

import type { ImageSource } from "../recipe.ts";
import { debianBase, languageLayer, type BaseSuite } from "./debian.ts";

const packages = ["python-is-python3", "python3", "python3-dev", "python3-pip", "python3-venv"];

export const pythonSources: Record<string, readonly ImageSource[]> = {
  "3.11": [fromDebian("3.11", "bookworm", "Debian 12's own, with its security fixes until 2028")],
  "3.12": [
    {
      kind: "oci",
      why: "no suite of Debian has it: trixie went from 3.11 to 3.13",
      reference: "docker.io/library/python:3.12-slim-trixie",
      packages: [],
    },
  ],
  "3.13": [
    fromDebian("3.13", "trixie", "Debian 13's own, with its security fixes until 2030", ["python3-poetry"]),
    {
      kind: "oci",
      why: "where Debian's archive cannot be reached",
      reference: "docker.io/library/python:3.13-slim-trixie",
      packages: [],
    },
  ],
  "3.14": [
    fromDebian(
      "3.14",
      "forky",
      "becomes Debian 14; until then its packages move on, and the layer is what it was built from",
      ["python3-poetry"],
    ),
    {
      kind: "oci",
      why: "should forky's default have moved on",
      reference: "docker.io/library/python:3.14-slim-trixie",
      packages: [],
    },
  ],
};

function fromDebian(
  version: string,
  suite: BaseSuite,
  why: string,
  more: readonly string[] = [],
): ImageSource {
  const layer = languageLayer({
    title: `Python ${version}`,
    suites: [suite],
    packages: [...packages, ...more],
  });
  return { kind: "debian", why, layers: [layer, debianBase(suite)] };
}
