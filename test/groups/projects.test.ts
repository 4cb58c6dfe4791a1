/** The cluster tests of projects. */

import { importTests } from "./import-tests.ts";

importTests("test/projects/*.test.ts");
