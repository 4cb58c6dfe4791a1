/** Runs the cluster tests of sites' own domains. */

import { importTests } from "./import-tests.ts";

importTests("test/domains/*.test.ts");
