/** The unit tests of central. */

import { importTests } from "./import-tests.ts";

await importTests("central/src/**/*.test.ts");
