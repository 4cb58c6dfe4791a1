/** Writes the generated types anew, after a change of the operations table. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateClientTypes } from "../support/requests/generate-client-types.ts";

await writeFile(join(import.meta.dirname, "api.d.ts"), await generateClientTypes());
