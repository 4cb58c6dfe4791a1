/** Checks that the disk has the room that agents demand before they keep an install. */

import assert from "node:assert/strict";
import { statfs } from "node:fs/promises";
import { defaultBounds } from "../../../../agent/src/install-cache/install-cache.ts";

/** Bytes that a test installs and keeps itself. */
const ownBytes = 1024 ** 3;
/** Same value as `freeInodeShare` of the install cache. */
const freeInodeShare = 0.2;

/** Fails when there is less room: then no install is kept or found, which is no fault. */
export async function assertRoomForKeptInstalls(directory: string): Promise<void> {
  const { bavail, bsize, files, ffree } = await statfs(directory);
  const [freeBytes, wantedBytes] = [bavail * bsize, defaultBounds.freeBytes + ownBytes];
  const gibibytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
  assert.ok(
    freeBytes >= wantedBytes,
    `this machine has too little room for agents to keep installs: ${gibibytes(freeBytes)} free of the ${gibibytes(wantedBytes)} that ${directory} needs`,
  );
  assert.ok(
    files === 0 || ffree >= files * freeInodeShare,
    `agents keep no installs: ${ffree} of ${files} inodes of ${directory} are free`,
  );
}
