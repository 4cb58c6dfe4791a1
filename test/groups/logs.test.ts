/** The cluster tests of programs' logs. */

import { importTests } from "./import-tests.ts";

importTests("test/logs/*.test.ts");
