/**
 * Writes the headers of a tar archive that GNU tar extracts: long names as GNU writes them, the rest as pax.
 */

import { paddingOf, tarBlockBytes, type TarEntry } from "./tar-entry.ts";

export interface ExtraAttributes {
  /** Extended attributes by name. */
  xattrs?: Record<string, string>;
}

const typeOf: Record<TarEntry["kind"], string> = {
  file: "0",
  hardlink: "1",
  symlink: "2",
  device: "3",
  directory: "5",
  fifo: "6",
};
const nameBytes = 100;
/** Largest number that eleven octal digits hold. */
const maxOctal = 0o77777777777;

/** Two blocks of zeros. */
export const tarEnd: Buffer = Buffer.alloc(2 * tarBlockBytes);

/** Returns the blocks before an entry's content. A device is always a character device 0:0. */
export function encodeHeader(entry: TarEntry, { xattrs = {} }: ExtraAttributes = {}): Buffer {
  const records: [string, string][] = Object.entries(xattrs).map(([name, value]) => [
    `SCHILY.xattr.${name}`,
    value,
  ]);
  if (entry.mtime.includes(".")) records.push(["mtime", entry.mtime]);
  if (entry.size > maxOctal) records.push(["size", String(entry.size)]);
  return Buffer.concat([
    ...(entry.linkName.length > nameBytes ? longName("K", entry.linkName) : []),
    ...(entry.name.length > nameBytes ? longName("L", entry.name) : []),
    ...(records.length > 0 ? withBody("x", Buffer.concat(records.map(paxRecord))) : []),
    block(entry, typeOf[entry.kind]),
  ]);
}

function longName(type: "K" | "L", name: string): Buffer[] {
  return withBody(type, Buffer.from(`${name}\0`, "latin1"));
}

function withBody(type: string, body: Buffer): Buffer[] {
  const entry = {
    name: "././@LongLink",
    linkName: "",
    mode: 0,
    uid: 0,
    gid: 0,
    mtime: "0",
    size: body.length,
  };
  return [block(entry, type), body, Buffer.alloc(paddingOf(body.length))];
}

function block(
  { name, linkName, mode, uid, gid, mtime, size }: Omit<TarEntry, "kind">,
  type: string,
): Buffer {
  const header = Buffer.alloc(tarBlockBytes);
  const octal = (value: number, offset: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, "0"), offset, "latin1");
  header.write(name.slice(0, nameBytes), 0, "latin1");
  octal(mode, 100, 8);
  octal(uid, 108, 8);
  octal(gid, 116, 8);
  octal(Math.min(size, maxOctal), 124, 12);
  octal(Math.min(Math.trunc(Number(mtime)), maxOctal), 136, 12);
  header.write("        ", 148, "latin1");
  header.write(type, 156, "latin1");
  header.write(linkName.slice(0, nameBytes), 157, "latin1");
  header.write("ustar\x0000", 257, "latin1");
  octal(0, 329, 8);
  octal(0, 337, 8);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

function paxRecord([key, value]: [string, string]): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`, "latin1");
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length++;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}
