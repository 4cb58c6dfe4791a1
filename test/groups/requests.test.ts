/** The cluster tests of HTTP requests of any kind. */

import { importTests } from "./import-tests.ts";

importTests("test/requests/*.test.ts");
