/** The cluster tests of notices and where they go. */

import { importTests } from "./import-tests.ts";

importTests("test/notices/*.test.ts");
