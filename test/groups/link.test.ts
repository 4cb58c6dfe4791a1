/** The cluster tests of the agents' link. */

import { importTests } from "./import-tests.ts";

importTests("test/link/*.test.ts");
