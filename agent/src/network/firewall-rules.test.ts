import assert from "node:assert/strict";
import { test } from "node:test";
import { additionText, removalText, tableText, type FirewallSettings } from "./firewall-rules.ts";
import { instanceNames } from "./instance-names.ts";

const names = instanceNames("host-a");
const settings: FirewallSettings = {
  names,
  cidr: "10.200.0.0/24",
  resolver: { interface: "tjabcderesolver", address: "10.200.0.0" },
  statics: { interface: "tjabcdewebsites", address: "10.200.0.254" },
  resolvers: ["10.0.0.53"],
  gateways: ["10.200.15.255"],
  connectionLimit: 100,
};
const entry = { interface: "tjabcde00000001", address: "10.200.0.1", accountMark: 7 };

test("every base chain accepts by default, so that other software on the host is not affected", () => {
  const policies = [...tableText(settings, []).matchAll(/policy (\w+)/g)].map((match) => match[1]);
  assert.deepEqual(new Set(policies), new Set(["accept"]));
  assert.equal(policies.length, 5);
});

test("over the mesh only gateways reach the server of static sites, and it reaches nobody", () => {
  const text = tableText(settings, []);
  assert.match(
    text,
    /oifname "tjabcdewebsites" goto to_statics\n(?:[^}]*\n)*?\s+oifname "tjabcdewebsites" goto refuse/,
  );
  assert.match(text, /chain to_statics \{\s+ip saddr != @gateways drop\s/);
  assert.match(text, /ip daddr 10\.200\.0\.254 tcp dport 80 accept\s+goto refuse/);
  assert.match(
    text,
    /chain from_statics \{\s+ip daddr @gateways ct state established,related accept\s+goto refuse/,
  );
});

test("the rules are the same however many projects there are", () => {
  const withoutElements = (text: string) => text.replaceAll(/elements = \{[^}]*\};/g, "");
  assert.equal(withoutElements(tableText(settings, [entry])), withoutElements(tableText(settings, [])));
});

test("an interface without an account may send but belongs to nobody", () => {
  const text = tableText(settings, [{ ...entry, accountMark: null }]);
  assert.match(text, /set sources \{[^}]*"tjabcde00000001" \. 10\.200\.0\.1/);
  assert.doesNotMatch(text, /10\.200\.0\.1 [:.] \d/);
});

test("a removal names exactly what the addition named", () => {
  const added = additionText(names, entry);
  assert.match(added, /accounts \{ 10\.200\.0\.1 : 7 \}/);
  assert.match(added, /members \{ 10\.200\.0\.1 \. 7 \}/);
  assert.equal(removalText(names, entry), added.replaceAll("add element", "delete element"));
});

test("names of two instances never overlap, and fit into an interface's 15 characters", () => {
  const other = instanceNames("host");
  assert.notEqual(other.table, names.table);
  assert.notEqual(other.interfacePrefix, names.interfacePrefix);
  assert.ok(!names.namespacePrefix.startsWith(other.namespacePrefix));
  assert.equal(`${names.interfacePrefix}00000000`.length, 15);
});

test("a name that could add a rule is refused", () => {
  for (const name of ["", "a b", "a;drop", 'a"', "A", "a_b", "a.b", "x".repeat(33)])
    assert.throws(() => instanceNames(name), /cannot name/, name);
});
