/** Reads the numbers by which programs of several releases judge each other: of the link and of the schemas. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { ReleaseManifest } from "@tijolo/protocol";

const counted = z.object({ firstNumber: z.int(), lists: z.array(z.unknown()) });
const stepped = z.object({ firstVersion: z.int(), steps: z.array(z.unknown()) });

/** Reads them from the sources themselves. Today only a program of the same schema opens a database. */
export async function readNumbers(root: string): Promise<Pick<ReleaseManifest, "protocol" | "schemas">> {
  const load = (file: string): Promise<Record<string, unknown>> =>
    import(pathToFileURL(join(root, file)).href);
  const link = await load("protocol/src/link/link-protocol.ts");
  const central = counted.parse((await load("central/src/store/migrations.ts"))["migrations"]);
  const ledger = stepped.parse((await load("agent/src/ledger/migrations.ts"))["migrations"]);
  const schema = (version: number) => ({ version, oldestReader: version });
  return {
    protocol: z.object({ min: z.int(), max: z.int() }).parse(link["linkProtocol"]),
    schemas: {
      central: schema(central.firstNumber + central.lists.length - 1),
      ledger: schema(ledger.firstVersion + ledger.steps.length - 1),
    },
  };
}
