import assert from "node:assert/strict";
import type { NetworkInterfaceInfo } from "node:os";
import { describe, test } from "node:test";
import { agentSettingsText, ownSettings } from "../host/agent-settings.ts";
import { firstSettings } from "./central-settings.ts";

const gateway = { httpListen: "0.0.0.0:80", httpsListen: "0.0.0.0:443" };
const machine = { mac: "02:00:00:00:00:01", internal: false, netmask: "", cidr: null };
const four: NetworkInterfaceInfo = { ...machine, family: "IPv4", address: "10.0.0.5" };
const linkLocal: NetworkInterfaceInfo = { ...machine, family: "IPv6", address: "fe80::1", scopeid: 2 };
const six: NetworkInterfaceInfo = { ...machine, family: "IPv6", address: "2001:db8::5", scopeid: 0 };

describe("the first settings of central", () => {
  test("have of the environment what central knows, and nothing else", () => {
    const settings = firstSettings(
      {
        TIJOLO_SIGN_UP: "open",
        TIJOLO_LOG_LEVEL: "debug",
        TIJOLO_NPM_REGISTRY: "https://npm.example/",
        TIJOLO_DEBIAN_MIRROR: "https://debian.example/",
        TIJOLO_HOST_NAME: "one",
        TIJOLO_URL: "https://tijolo.example",
        TIJOLO_KEY: "tj_key",
        TIJOLO_OPERATOR_TOKEN: "token",
        TIJOLO_HTTP_LISTEN: "0.0.0.0:80",
        TIJOLO_MASTER_KEYS: "one key",
        TIJOLO_LATER: "yes",
      },
      gateway,
      { eth0: [four] },
    );
    assert.deepEqual(settings, {
      TIJOLO_LISTEN: "127.0.0.1:8080",
      TIJOLO_GATEWAY_LISTEN: "127.0.0.1:8081",
      TIJOLO_LINK_LISTEN: "0.0.0.0:8444",
      TIJOLO_LINK_URL: "https://10.0.0.5:8444",
      TIJOLO_SIGN_UP: "open",
      TIJOLO_LOG_LEVEL: "debug",
      TIJOLO_SITE_DOMAIN: "localhost",
      TIJOLO_SITE_URL_PATTERN: "https://*.localhost/",
      TIJOLO_PLAIN_SITE_URL_PATTERN: "http://*.localhost/",
    });
  });

  test("refuse what a line cannot hold, by its name and without its value", () => {
    for (const value of ['a"b', "a\\b", "a$b", "a`b", "a\nb"])
      assert.throws(
        () => firstSettings({ TIJOLO_SMTP_URL: value }, null, {}),
        (error: Error) => error.message.startsWith("TIJOLO_SMTP_URL ") && !error.message.includes(value),
      );
  });

  test("have no address of the link where there is no link", () => {
    const settings = firstSettings({ TIJOLO_LINK_LISTEN: "" }, null, { eth0: [four] });
    assert.equal(settings["TIJOLO_LINK_LISTEN"], "");
    assert.equal("TIJOLO_LINK_URL" in settings, false);
  });

  test("name an IPv6 address in brackets where the machine has no other, and listen there", () => {
    const settings = firstSettings({}, null, { eth0: [linkLocal, six] });
    assert.equal(settings["TIJOLO_LINK_URL"], "https://[2001:db8::5]:8444");
    assert.equal(settings["TIJOLO_LINK_LISTEN"], "[::]:8444");
    const both = firstSettings({}, null, { eth0: [six, four] });
    assert.equal(both["TIJOLO_LINK_URL"], "https://10.0.0.5:8444");
    const none = firstSettings({}, null, { eth0: [linkLocal], lo: [{ ...four, internal: true }] });
    assert.equal(none["TIJOLO_LINK_URL"], "https://127.0.0.1:8444");
  });
});

test("the first settings of an agent have its own ones of the environment", () => {
  const own = ownSettings({
    TIJOLO_NPM_REGISTRY: "https://npm.example/",
    TIJOLO_NETWORK_CIDR: "10.9.0.0/21",
    TIJOLO_RUNTIME: "",
    TIJOLO_SIGN_UP: "open",
    TIJOLO_KEY: "tj_key",
  });
  assert.equal(
    agentSettingsText({ centralUrl: "http://127.0.0.1:8080", hasAuthority: false, own }),
    `# Settings of the agent: docs/settings.md. After a change: systemctl restart tijolo-agent
TIJOLO_CENTRAL_URL="http://127.0.0.1:8080"
TIJOLO_JOIN_TOKEN_FILE="/etc/tijolo/join-token"
TIJOLO_NETWORK_CIDR="10.9.0.0/21"
TIJOLO_NPM_REGISTRY="https://npm.example/"
`,
  );
  assert.throws(() => ownSettings({ TIJOLO_NPM_REGISTRY: "a$b" }), /^Error: TIJOLO_NPM_REGISTRY /);
});
