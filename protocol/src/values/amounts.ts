/** Whole numbers of messages between central and agents, each with the most that is plausible. */

import { z } from "zod";

/** How often something happened, or a number that only grows: as far as a number is exact. */
export const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The memory of the largest machine that is believed: 64 TB. */
export const maxMemoryMb = 64 * 1024 * 1024;
export const memoryAmountMb = z.int().min(0).max(maxMemoryMb);

/** Of a disk, up to an exabyte. */
export const diskAmountMb = z
  .int()
  .min(0)
  .max(2 ** 40);
