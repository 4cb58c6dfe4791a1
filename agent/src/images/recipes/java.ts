/**
 * Defines the recipe of Java, with the runtime alone: projects bring a ready jar, and none of them draws on a
 * screen.
 */

import type { ImageSource } from "../recipe.ts";
import { debianBase, languageLayer } from "./debian.ts";

export const javaSources: Record<string, readonly ImageSource[]> = {
  "21": sourcesOf("21"),
  "25": sourcesOf("25"),
};

function sourcesOf(version: string): readonly ImageSource[] {
  const layer = languageLayer({
    title: `OpenJDK ${version}`,
    suites: ["trixie"],
    packages: [`openjdk-${version}-jre-headless`],
  });
  return [
    {
      kind: "debian",
      why: "Debian 13 has both long-term versions, with their security fixes",
      layers: [layer, debianBase("trixie")],
    },
    {
      kind: "oci",
      why: "where Debian's archive cannot be reached",
      reference: `docker.io/library/eclipse-temurin:${version}-jre`,
      packages: [],
    },
  ];
}
