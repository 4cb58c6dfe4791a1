/** `npm run client:pack`: leaves the client's npm package in the current directory. */

import { packClient } from "./pack-client.ts";

console.log(await packClient(process.cwd()));
