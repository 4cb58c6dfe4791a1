/** An entry of a tar archive, as it is read and written here. */

export interface TarEntry {
  kind: "file" | "directory" | "symlink" | "hardlink" | "device" | "fifo";
  /** Each character is one byte (latin1), as archives name files in any encoding. */
  name: string;
  /** Target of a symlink, or the name that a hardlink shares its file with; bytes as in `name`. */
  linkName: string;
  /** Permission bits with setuid, setgid and sticky. */
  mode: number;
  uid: number;
  gid: number;
  /** Modification time in decimal seconds since 1970, perhaps with a fraction. */
  mtime: string;
  /** Bytes of content; 0 for all but files. */
  size: number;
}

export const tarBlockBytes = 512;

/** Returns how many bytes follow content of this size up to the next block. */
export function paddingOf(size: number): number {
  return (tarBlockBytes - (size % tarBlockBytes)) % tarBlockBytes;
}
