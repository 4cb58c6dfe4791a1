/** Runs the unit tests of central, of its gateway and of its panel. */

import { importTests } from "./import-tests.ts";

importTests("central/{src,gateway/src,panel/src}/**/*.test.ts");
