/** `pnpm dev`: a network to develop with. It needs neither root nor containers. */

import { openNetwork } from "./network.ts";

const { summary } = await openNetwork();
console.log(summary);
