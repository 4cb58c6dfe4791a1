/** The cluster tests of the command line. */

import { importTests } from "./import-tests.ts";

importTests("test/commands/*.test.ts");
