/** The cluster tests of uploads. */

import { importTests } from "./import-tests.ts";

importTests("test/uploads/*.test.ts");
