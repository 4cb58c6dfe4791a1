/** The cluster tests of hosts and what central knows of them. */

import { importTests } from "./import-tests.ts";

importTests("test/hosts/*.test.ts");
