/** Names the lists in a release by which the installer finds damage, and which the packing writes. */

/** Lists all files with their hashes, as `sha256sum -c` reads it. */
export const filesList = "files.sha256";

/** Lists what hashes do not tell: `x <path>` for each program, `l <path> <target>` for each link. */
export const shapeList = "files.shape";
