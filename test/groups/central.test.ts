/** Runs the unit tests of central. */

import { importTests } from "./import-tests.ts";

importTests("central/src/**/*.test.ts");
