/** Finds the HAProxy that tests run: the machine's own, or one that is fetched once for all tests. */

import { join } from "node:path";
import type { TestContext } from "node:test";
import { findHaproxy } from "@tijolo/gateway";

/** Where all tests have their HAProxy: to fetch it takes some seconds. */
export const haproxyDirectory = join(import.meta.dirname, "..", "..", "..", ".tools", "haproxy");

/** Returns HAProxy's command; undefined, with the test skipped, where the machine has none and may fetch none. */
export async function haproxyOf(t: TestContext): Promise<string[] | undefined> {
  try {
    return await findHaproxy({ toolsDirectory: haproxyDirectory });
  } catch (error) {
    t.skip(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
