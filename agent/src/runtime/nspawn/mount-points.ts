/** Makes the mount points of a container's file systems, and says what is mounted on them. */

import { mkdir, stat, symlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { ContainerRequest } from "../runtime.ts";
import type { ContainerPlace } from "./container-place.ts";
import { uidCount } from "./nspawn-argv.ts";

/**
 * A mount of the container. `idmap`: a read-only bind that shows shifted ids; its options are the first id on
 * the disk, the first id shown, and how many there are.
 */
export interface Mount {
  type: "tmpfs" | "idmap" | "overlay";
  source: string;
  target: string;
  options: string;
}

export interface MountPoints {
  dataDirectory: string;
  place: ContainerPlace;
  request: Pick<ContainerRequest, "imageLayers" | "appLayers" | "uidBase">;
  /** Directory that receives what is written under /app. */
  appUpper: string;
}

/** A link in the run's directory, which the options of an overlay name. */
interface Link {
  name: string;
  target: string;
}

/**
 * Makes the mount points and returns what is mounted on them, in this order. Overlay options are short
 * relative links, as the kernel takes at most 256 bytes of one option and no commas. Layers with other owners
 * than the project are seen through a bind with shifted ids; overlayfs itself cannot shift.
 */
export async function makeMountPoints({
  place,
  request,
  appUpper,
  dataDirectory,
}: MountPoints): Promise<Mount[]> {
  const binds = new ShiftedBinds({ run: place.run, dataDirectory, shownUidBase: request.uidBase });
  const imageLayers: Link[] = [];
  for (const [index, directory] of request.imageLayers.entries())
    imageLayers.push({ name: `l${index}`, target: await binds.pathOf(directory, 0) });
  const appLayers: Link[] = [];
  for (const [index, { directory, uidBase }] of request.appLayers.entries()) {
    const target = uidBase === request.uidBase ? directory : await binds.pathOf(directory, uidBase);
    appLayers.push({ name: `a${index}`, target });
  }
  const links: Link[] = [
    { name: "u", target: join(place.scratch, "upper") },
    { name: "w", target: join(place.scratch, "work") },
    { name: "au", target: appUpper },
    { name: "aw", target: `${appUpper}-work` },
    ...imageLayers,
    ...appLayers,
  ];
  await Promise.all([
    ...binds.mounts().map(({ target }) => mkdir(target)),
    ...links.map(({ name, target }) => symlink(target, join(place.run, name))),
  ]);
  return [
    { type: "tmpfs", source: "tijolo", target: "/run/systemd/nspawn", options: "mode=755,size=1m" },
    ...binds.mounts(),
    overlay(place.root, { lower: imageLayers, upper: "u", work: "w", extra: ["volatile"] }),
    overlay(join(place.root, "app"), { lower: appLayers, upper: "au", work: "aw", extra: [] }),
  ];
}

/** Collects the binds through which a project sees layers of other owners as its own. */
class ShiftedBinds {
  readonly #options: { run: string; dataDirectory: string; shownUidBase: number };
  /** Binds by the first id and the source. */
  readonly #binds = new Map<string, Mount>();

  constructor(options: { run: string; dataDirectory: string; shownUidBase: number }) {
    this.#options = options;
  }

  mounts(): Mount[] {
    return [...this.#binds.values()];
  }

  /** Returns the path, from the run's directory, at which a layer whose ids begin at `uidBase` is seen. */
  async pathOf(directory: string, uidBase: number): Promise<string> {
    const { run, dataDirectory, shownUidBase } = this.#options;
    const source = await bindSource(directory, dataDirectory);
    const key = `${uidBase} ${source}`;
    const bind: Mount = this.#binds.get(key) ?? {
      type: "idmap",
      source,
      target: join(run, `shifted-${this.#binds.size}`),
      options: `${uidBase} ${shownUidBase} ${uidCount}`,
    };
    this.#binds.set(key, bind);
    return join(basename(bind.target), relative(source, directory));
  }
}

/**
 * Returns the source of a bind: one bind of the whole data directory serves all layers in it; a layer on
 * another file system needs a bind of its own.
 */
async function bindSource(directory: string, dataDirectory: string): Promise<string> {
  const parent = dirname(directory);
  if (relative(dataDirectory, parent).startsWith("..")) return parent;
  const [layer, data] = await Promise.all([stat(directory), stat(dataDirectory)]);
  return layer.dev === data.dev ? dataDirectory : parent;
}

function overlay(
  target: string,
  layers: { lower: readonly Link[]; upper: string; work: string; extra: string[] },
): Mount {
  const { upper, work, extra } = layers;
  const lower = layers.lower.map(({ name }) => name).join(":");
  return {
    type: "overlay",
    source: "overlay",
    target,
    options: [`lowerdir=${lower}`, `upperdir=${upper}`, `workdir=${work}`, ...extra].join(","),
  };
}
