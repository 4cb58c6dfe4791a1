/** Sweeps through the panel as every change has to pass it; `whole-sweep.test.ts` looks at all combinations. */

import { sweep } from "./support/sweep.ts";

sweep({ isWhole: false });
