/** Defines whole numbers in messages between central and agents, each with its greatest plausible value. */

import { z } from "zod";

/** Number of times that something happened, or a number that only grows: as far as a number is exact. */
export const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Memory of the largest machine that is plausible: 64 TB. */
export const maxMemoryMb = 64 * 1024 * 1024;
export const memoryAmountMb = z.int().min(0).max(maxMemoryMb);

/** Amount of a disk, up to an exabyte. */
export const diskAmountMb = z
  .int()
  .min(0)
  .max(2 ** 40);
