/** The cluster tests of the panel's live stream. */

import { importTests } from "./import-tests.ts";

importTests("test/live/*.test.ts");
