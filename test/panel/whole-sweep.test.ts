/** Axe on each page × state × theme × language of the panel: minutes, so `npm run test:all` only. */

import { sweep } from "./support/sweep.ts";

sweep({ isWhole: true });
