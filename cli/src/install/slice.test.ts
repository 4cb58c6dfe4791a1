import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { centralUnit, textsOfCentralUnits } from "./central/central-units.ts";
import { textOfGatewayUnit } from "./gateway/gateway-unit.ts";
import { textOfService } from "./daily-renewal.ts";
import { haproxyRenewal } from "./gateway/haproxy-renewal.ts";
import { textOfAgentUnit } from "./host/agent-unit.ts";
import { countriesRenewal } from "./packages/country-tables.ts";
import { slice } from "./places.ts";

test("all services are in the slice that the agent weighs", async () => {
  const delegation = join(import.meta.dirname, "../../../agent/src/host/cgroups/cgroup-delegation.ts");
  assert.ok((await readFile(delegation, "utf8")).includes(`const slice = "${slice}";`));
  const tree = "/opt/tijolo/gateway";
  const listen = { api: "127.0.0.1:1", sites: "127.0.0.1:2", link: null };
  for (const unit of [
    textOfAgentUnit,
    textOfGatewayUnit({ centralUrl: "http://127.0.0.1:1", tree, hasAuthority: false }),
    textOfService(haproxyRenewal(tree), tree),
    textOfService(countriesRenewal(tree), tree),
    textsOfCentralUnits(listen).get(centralUnit),
  ])
    assert.match(unit ?? "", new RegExp(`^Slice=${slice}$`, "m"));
});
