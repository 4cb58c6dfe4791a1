/** Runs the unit tests of central and of its panel. */

import { importTests } from "./import-tests.ts";

importTests("central/{src,panel/src}/**/*.test.ts");
