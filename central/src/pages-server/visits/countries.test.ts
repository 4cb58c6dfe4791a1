import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { parseAddress } from "./address.ts";
import { Countries } from "./countries.ts";

async function countriesOf(
  context: TestContext,
  files: Record<string, string>,
): Promise<(address: string) => string | undefined> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-countries-"));
  context.after(() => rm(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  const countries = new Countries();
  await countries.load(directory);
  return (text) => {
    const address = parseAddress(text);
    return address === undefined ? undefined : countries.find(address);
  };
}

test("an address is found in the range that has it, in both families", async (context) => {
  const find = await countriesOf(context, {
    geoip: "# comment\n16777216,16777471,AU\n16777472,16778239,CN\n3232235520,3232301055,??\n",
    geoip6:
      "2001:200::,2001:200:134:ffff:ffff:ffff:ffff:ffff,JP\n2804::,2804:ffff:ffff:ffff:ffff:ffff:ffff:ffff,BR",
  });
  assert.deepEqual(["1.0.0.0", "1.0.0.255", "1.0.1.0", "1.0.4.0", "0.0.0.1", "192.168.1.1"].map(find), [
    "AU",
    "AU",
    "CN",
    undefined,
    undefined,
    undefined,
  ]);
  assert.deepEqual(["2001:200::1", "2001:200:134:ffff::", "2001:200:135::", "2804:14c::1", "::1"].map(find), [
    "JP",
    "JP",
    undefined,
    "BR",
    undefined,
  ]);
});

test("without the files no country is known", async (context) => {
  const find = await countriesOf(context, {});
  assert.equal(find("1.0.0.0"), undefined);
});

test("lines that are no range are left out", async (context) => {
  const find = await countriesOf(context, { geoip: "a,b,XX\n5,4,DE\n1,2\n,,\n16777216,16777471,AU\n1,2,FR" });
  assert.equal(find("1.0.0.1"), "AU");
  assert.equal(find("0.0.0.1"), undefined);
});
