import assert from "node:assert/strict";
import { test } from "node:test";
import { parseConfig } from "./config.ts";

test("trusted proxies are addresses and networks with commas between; none by default", () => {
  const proxiesOf = (text: string) => parseConfig({ TIJOLO_TRUSTED_PROXIES: text }).trustedProxies;
  assert.deepEqual(parseConfig({}).trustedProxies, []);
  assert.deepEqual(proxiesOf(" 127.0.0.1, 10.0.0.0/8,2001:db8::/32,::1 ,"), [
    "127.0.0.1",
    "10.0.0.0/8",
    "2001:db8::/32",
    "::1",
  ]);
  for (const wrong of [
    "proxy",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "2001:db8::/129",
    "1.2.3",
    "true",
    "*",
  ]) {
    assert.throws(() => proxiesOf(wrong), /TIJOLO_TRUSTED_PROXIES must be/, wrong);
  }
});

test("what other machines are installed from lies in the data directory, unless another one is named", () => {
  const data = { TIJOLO_DATA_DIRECTORY: "/data" };
  assert.equal(parseConfig(data).installFilesDirectory, "/data");
  const named = { ...data, TIJOLO_INSTALL_FILES_DIRECTORY: "/named" };
  assert.equal(parseConfig(named).installFilesDirectory, "/named");
});

test("more system packages are names of Debian packages, each once, without those that all projects have", () => {
  const packagesOf = (text: string) => parseConfig({ TIJOLO_MORE_SYSTEM_PACKAGES: text }).morePackages;
  assert.deepEqual(parseConfig({}).morePackages, []);
  assert.deepEqual(packagesOf(" ffmpeg, chromium,git,ffmpeg, g++,libc6.1 ,"), [
    "chromium",
    "ffmpeg",
    "g++",
    "libc6.1",
  ]);
  const many = Array.from({ length: 33 }, (_, index) => `package${index}`).join();
  for (const wrong of [
    "ffmpeg-",
    "-y",
    "FFmpeg",
    "a b",
    "a;b",
    "a=1",
    "a/sid",
    "../a",
    "é",
    "x".repeat(101),
    many,
  ])
    assert.throws(() => packagesOf(wrong), /TIJOLO_MORE_SYSTEM_PACKAGES must be/, wrong);
});

test("sign-up is by invitation unless the operator says otherwise, in a word that is known", () => {
  assert.equal(parseConfig({}).signUp, "invitation");
  for (const way of ["open", "closed"]) assert.equal(parseConfig({ TIJOLO_SIGN_UP: way }).signUp, way);
  assert.throws(
    () => parseConfig({ TIJOLO_SIGN_UP: "yes" }),
    /TIJOLO_SIGN_UP must be open, invitation or closed/,
  );
});

test("the panel's address is an origin", () => {
  assert.equal(parseConfig({}).panelUrl, null);
  assert.equal(
    parseConfig({ TIJOLO_PANEL_URL: "https://painel.example/" }).panelUrl,
    "https://painel.example",
  );
  for (const wrong of [
    "painel.example",
    "ftp://painel.example",
    "https://painel.example/app",
    "https://a:b@painel.example",
  ]) {
    assert.throws(() => parseConfig({ TIJOLO_PANEL_URL: wrong }), /TIJOLO_PANEL_URL must be/, wrong);
  }
});

test("mail needs a sender, and a wrong address of the mail server is not repeated", () => {
  assert.deepEqual(parseConfig({}).mail, { smtpUrl: null, from: "" });
  const smtp = {
    TIJOLO_SMTP_URL: "smtps://user:geheim@mail.example",
    TIJOLO_MAIL_FROM: "tijolo@example.com",
  };
  assert.deepEqual(parseConfig(smtp).mail, { smtpUrl: smtp.TIJOLO_SMTP_URL, from: smtp.TIJOLO_MAIL_FROM });
  assert.throws(() => parseConfig({ ...smtp, TIJOLO_MAIL_FROM: "" }), /TIJOLO_MAIL_FROM must be/);
  assert.throws(
    () => parseConfig({ ...smtp, TIJOLO_SMTP_URL: "http://user:geheim@mail.example" }),
    (error: Error) => error.message.includes("TIJOLO_SMTP_URL") && !error.message.includes("geheim"),
  );
});

test("the log's level is a word of the log's", () => {
  assert.equal(parseConfig({}).logLevel, "info");
  assert.equal(parseConfig({ TIJOLO_LOG_LEVEL: "debug" }).logLevel, "debug");
  assert.throws(
    () => parseConfig({ TIJOLO_LOG_LEVEL: "verbose" }),
    /^Error: TIJOLO_LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent, not "verbose"\.$/,
  );
});

test("the cluster's network is an IPv4 network from /8 to /20", () => {
  const networkOf = (text: string) => parseConfig({ TIJOLO_CLUSTER_CIDR: text }).clusterNetwork;
  assert.deepEqual(parseConfig({}).clusterNetwork, networkOf("10.200.0.0/13"));
  assert.deepEqual(networkOf("10.0.0.0/20"), { start: 10 * 2 ** 24, size: 4_096 });
  for (const wrong of [
    "",
    "10.0.0.0",
    "10.0.0.0/21",
    "0.0.0.0/0",
    "10.0.8.0/20",
    "10.300.0.0/16",
    "fd00::/16",
  ])
    assert.throws(() => networkOf(wrong), /TIJOLO_CLUSTER_CIDR must be/, wrong);
});
