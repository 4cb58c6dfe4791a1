/** Runs the cluster tests of notices and their channels. */

import { importTests } from "./import-tests.ts";

importTests("test/notices/*.test.ts");
