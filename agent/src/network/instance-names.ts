/**
 * Names everything that one agent makes in the kernel, so that several agents share a machine and none
 * touches another's.
 */

import { createHash } from "node:crypto";

export interface InstanceNames {
  /** nftables table of the family inet. */
  table: string;
  /** Begins the name of every host-side interface: 7 characters of the 15 that the kernel allows. */
  interfacePrefix: string;
  /** Begins the name of every network namespace. */
  namespacePrefix: string;
  /** Interface of the mesh, over which projects of other hosts are reached; not one of the prefix. */
  meshInterface: string;
}

/**
 * The part of an interface's or namespace's name that tells it from the others of the instance: never used
 * twice.
 */
export const serialPattern = /^[0-9a-z]{8}$/;

/** Name of the namespace in which projects' names are resolved, used in the place of a serial. */
export const resolverSerial = "resolver";

/** Name of the namespace in which static sites are served, likewise. */
export const staticsSerial = "websites";
/** TCP port of the server in it. */
export const staticsPort = 80;

/** Throws unless the name is 1 to 32 of `a-z0-9-`. */
export function instanceNames(instanceName: string): InstanceNames {
  if (!/^[a-z0-9-]{1,32}$/.test(instanceName))
    throw new Error(`${JSON.stringify(instanceName)} cannot name an instance`);
  const mark = BigInt(`0x${createHash("sha256").update(instanceName).digest("hex")}`)
    .toString(36)
    .slice(-5);
  return {
    table: `tijolo_${instanceName.replaceAll("-", "_")}`,
    interfacePrefix: `tj${mark}`,
    namespacePrefix: `tijolo-${instanceName}.`,
    meshInterface: `tw${mark}`,
  };
}
