/** Text of a mount table for one `mount --all`, which makes several mounts with one process. */

export interface Mount {
  source: string;
  target: string;
  type: string;
  options: string[];
}

/** In fstab(5) format, mounted from top to bottom. */
export function mountTable(mounts: readonly Mount[]): string {
  return mounts
    .map(({ source, target, type, options }) => `${escaped(source)} ${escaped(target)} ${type} ${escaped(options.join(","))} 0 0\n`)
    .join("");
}

/** Files below the bind appear with their ids shifted: 0 becomes `uidBase`. */
export function idmapOption(uidBase: number, count: number): string {
  return `X-mount.idmap=b:0:${uidBase}:${count}`;
}

function escaped(field: string): string {
  return field.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
