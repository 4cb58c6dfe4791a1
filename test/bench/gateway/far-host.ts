/**
 * Serves a static site as to a gateway far away: central's pages server, and an agent's ingress at the end of a
 * tunnel. Prints its port; ends with its input.
 */

import { once } from "node:events";
import { GatewayFixture } from "../../gateway/gateway-fixture.ts";

const [files = ""] = process.argv.slice(2);
await using fixture = await GatewayFixture.create();
fixture.site("bench", { kind: "static", directory: files });
console.log(fixture.port);
process.stdin.resume();
await once(process.stdin, "end");
process.exit();
