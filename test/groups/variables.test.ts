/** The cluster tests of environment variables and the master key. */

import { importTests } from "./import-tests.ts";

importTests("test/variables/*.test.ts");
