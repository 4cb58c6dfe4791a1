/**
 * Registries by TLS: with a certificate of the operator's own authority, which the host is told of as
 * operators do, and without.
 */

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { CertificateAuthority, type ServerCertificate } from "../support/network/certificate-authority.ts";
import { ImagePusher, rawArchive } from "../support/images/docker-registry-image.ts";
import { TokenServer } from "../support/images/docker-registry-token.ts";
import { DockerRegistry, type RegistryAccess } from "../support/images/docker-registry.ts";
import { OciHost, pullApart, type PullApart } from "../support/images/oci-host.ts";
import { OutsideMachine } from "../support/network/outside-machine.ts";

const login = { username: "puller", password: "pass:word" };
const cure =
  /authority that this host does not know: put .* into \/usr\/local\/share\/ca-certificates\/ .* run update-ca-certificates and restart/;

describe("registries by TLS", { timeout: 300_000 }, () => {
  let directory: string;
  let machine: OutsideMachine;
  let authority: CertificateAuthority;
  let digest: string;
  /**
   * Path of the host's file of trusted authorities as it is once update-ca-certificates has put the
   * operator's into it.
   */
  let hostBundle: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "tijolo-registry-"));
    machine = await OutsideMachine.create();
    authority = await CertificateAuthority.create(directory);
    hostBundle = join(directory, "ca-certificates.crt");
    await writeFile(
      hostBundle,
      `${await readFile("/etc/ssl/certs/ca-certificates.crt", "utf8")}\n${await readFile(authority.file, "utf8")}`,
    );
    await using open = await DockerRegistry.start(join(directory, "registry"));
    const archive = rawArchive([{ name: "greeting", content: "olá" }]);
    digest = (await new ImagePusher(open.host, "team/app").push("v1", [{ archive, compression: "gzip" }]))
      .manifestDigest;
  });
  after(async () => {
    await machine[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  /** Starts the registry of the pushed image, by TLS. */
  const serve = async (access?: RegistryAccess, certificate?: ServerCertificate) =>
    DockerRegistry.start(join(directory, "registry"), access, {
      machine,
      certificate: certificate ?? (await authority.issue(machine.address)),
    });

  async function pull(
    registry: Pick<DockerRegistry, "host">,
    options: Omit<PullApart, "imagesDirectory" | "reference"> = {},
  ) {
    await using host = await OciHost.create();
    return await pullApart({
      imagesDirectory: host.imagesDirectory,
      reference: `${registry.host}/team/app:v1`,
      ...options,
    });
  }

  /** Returns each of the ways in which operators make an authority known. */
  const trusting = (): Record<string, string>[] => [
    { SSL_CERT_FILE: hostBundle }, // the host's own bundle, in another place than Debian's, which this test leaves alone
    { NODE_EXTRA_CA_CERTS: authority.file },
  ];

  test("an authority that the host knows is trusted, of another the error says what to do", async () => {
    await using registry = await serve();
    for (const environment of trusting()) assert.deepEqual(await pull(registry, { environment }), { digest });
    const refused = await pull(registry);
    assert.ok("kind" in refused, "it was pulled");
    assert.equal(refused.kind, "untrusted");
    assert.ok(
      refused.message.startsWith(`https://${registry.host} has a certificate of an `),
      refused.message,
    );
    assert.match(refused.message, cure);
  });

  test("a certificate that has run out, or is for another name, is refused and told as such", async () => {
    const environment = Object.assign({}, ...trusting()) as Record<string, string>;
    for (const [certificate, message] of [
      [
        await authority.issue(machine.address, { name: "expired", days: -1 }),
        /not valid now: renew it.*\(CERT_HAS_EXPIRED\)/,
      ],
      [await authority.issue("203.0.113.255"), /for another name/],
    ] as const) {
      await using registry = await serve(undefined, certificate);
      const refused = await pull(registry, { environment });
      assert.ok("kind" in refused, "it was pulled");
      assert.equal(refused.kind, "untrusted");
      assert.match(refused.message, message);
    }
  });

  test("tokens are fetched by TLS, and not without", async () => {
    const authFile = join(directory, "auth.json");
    const tokenDirectory = join(directory, "token");
    await mkdir(tokenDirectory);
    for (const tls of [await authority.issue("127.0.0.1"), undefined]) {
      await using tokens = await TokenServer.start({
        directory: tokenDirectory,
        login,
        ...(tls === undefined ? {} : { tls }),
      });
      await using registry = await serve({
        kind: "token",
        realm: tokens.realm,
        certificate: tokens.certificate,
      });
      const auth = Buffer.from(`${login.username}:${login.password}`).toString("base64");
      await writeFile(authFile, JSON.stringify({ auths: { [registry.host]: { auth } } }));
      for (const environment of trusting()) {
        const pulled = await pull(registry, { authFile, environment });
        if (tls !== undefined) assert.deepEqual(pulled, { digest });
        else
          assert.match(
            "message" in pulled ? pulled.message : "it was pulled",
            /the token server .* has no TLS/,
          );
      }
      const isAsked = tokens.asked.length > 0;
      assert.equal(isAsked, tls !== undefined);
    }
  });

  test("a registry that does not speak TLS is told as such", async () => {
    await using registry = await DockerRegistry.start(
      join(directory, "registry"),
      { kind: "open" },
      { machine, certificate: null },
    );
    await using host = await OciHost.create();
    const reference = `${registry.host}/team/app:v1`;
    await assert.rejects((await host.open()).pull(reference), {
      kind: "untrusted",
      message: /does not speak TLS: .* TIJOLO_REGISTRY_INSECURE/,
    });
    assert.equal(
      (await (await host.open({ insecureHosts: new Set([registry.host]) })).pull(reference)).digest,
      digest,
    );
  });
});
