/** Makes archives that nobody may accept, one for each fault that the specification names. */

import { extraField, numbers, rawZip, type RawEntry } from "../support/archives/raw-zip.ts";
import { zipOf } from "../support/archives/zip-of.ts";

const encrypted = 1;

/** Each is 422 `invalid_zip`. */
export async function unusableArchives(): Promise<Record<string, Uint8Array>> {
  const whole = await zipOf({ "svc.json": "{}", "index.js": "console.log(1)" });
  return {
    "not a .zip": Buffer.from("text"),
    corrupt: whole.subarray(0, whole.length - 30),
    "nothing at all": new Uint8Array(),
    "without files": rawZip([]),
    "with a password": rawZip([{ name: "index.js", content: "x", flags: encrypted }]),
  };
}

/** Returns archives by the `reason` that each is `unsafe_zip` for. */
export async function unsafeArchives(svcJson: object): Promise<Record<string, Uint8Array>> {
  const honest: RawEntry = { name: "svc.json", content: JSON.stringify(svcJson) };
  const manyFiles = Array.from({ length: 60_000 }, (_, index): RawEntry => ({ name: `f${index}` }));
  const huge = extraField(1, numbers([8, 2 ** 52], [8, 0], [8, 0]));
  return {
    path: rawZip([honest, { name: "../outside" }]),
    link: rawZip([honest, { name: "link", content: "/etc/passwd", mode: 0o120777 }]),
    special_file: rawZip([honest, { name: "device", mode: 0o020666 }]),
    size: rawZip([honest, { name: "huge", method: 8, isZip64: true, central: { extra: huge } }]),
    file_count: rawZip([honest, ...manyFiles]),
    compression_ratio: await zipOf({
      "svc.json": JSON.stringify(svcJson),
      zeros: new Uint8Array(40 * 1024 * 1024),
    }),
  };
}
