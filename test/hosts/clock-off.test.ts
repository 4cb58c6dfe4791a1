/** A machine whose clock is wrong: it does not become a host, and is told by how much it is off. */

import assert from "node:assert/strict";
import { createPublicKey, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { linkServerName } from "@tijolo/protocol/kit";
import { newPrivateKey } from "../../central/src/app/certificates/new-certificate.ts";
import { signAuthority, signServer } from "../../central/src/app/certificates/x509/sign-certificate.ts";
import { clockProblem } from "../../cli/src/install/host/host-preflight.ts";
import { loadMessages } from "../../cli/src/messages.ts";

const dayMs = 24 * 60 * 60 * 1000;
const hourSeconds = 60 * 60;

/** Returns the certificate of an authority that is made now, and what a server of it needs. */
function newAuthority() {
  const issuer = { name: "Tijolo test", privateKey: newPrivateKey() };
  const validity = { beginsAt: Date.now() - dayMs, endsAt: Date.now() + dayMs };
  const key = newPrivateKey();
  const parts = { validity, random: randomBytes };
  const authority = signAuthority(issuer, { ...parts, domains: ["localhost"] });
  const cert = signServer(issuer, { ...parts, names: [linkServerName], publicKey: createPublicKey(key) });
  return { authority, server: { cert, key: key.export({ type: "pkcs8", format: "pem" }) } };
}

/** Starts what answers as central does, from a clock that is `behindSeconds` behind this machine's. */
async function startCentral(tls: ReturnType<typeof newAuthority>["server"], behindSeconds: number) {
  const server = createServer(tls, (_request, response) => {
    response.setHeader("Date", new Date(Date.now() - behindSeconds * 1000).toUTCString());
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

for (const [behindSeconds, said] of [
  [hourSeconds, /clock is 3[56]\d\d s ahead of central's.*timedatectl set-ntp true/],
  [-hourSeconds, /clock is 3[56]\d\d s behind central's.*timedatectl set-ntp true/],
  [30, null],
  [-30, null],
] as const)
  test(`a central ${behindSeconds} s behind this machine: ${said === null ? "no problem" : "said"}`, async () => {
    const { authority, server } = newAuthority();
    await using central = await startCentral(server, behindSeconds);
    const problems = await clockProblem(await loadMessages("en"), central.url, authority);
    if (said === null) assert.deepEqual(problems, []);
    else assert.match(problems.join("\n"), said);
  });

test("the time of a central that another authority signed is not believed", async () => {
  await using central = await startCentral(newAuthority().server, hourSeconds);
  const problems = await clockProblem(await loadMessages("en"), central.url, newAuthority().authority);
  assert.match(problems.join("\n"), /^Central does not answer at/);
});
