import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { archiveBelow, findHostArchive } from "./host-archive.ts";

/** Makes a directory like `/etc/apt` with the given files. */
async function aptOf(t: TestContext, files: Record<string, string>): Promise<string> {
  const apt = await mkdtemp(join(tmpdir(), "tijolo-apt-"));
  t.after(() => rm(apt, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(apt, name)), { recursive: true });
    await writeFile(join(apt, name), text.replaceAll("APT", apt));
  }
  return apt;
}

const archive = {
  main: "http://mirror.example/debian",
  security: "https://security.example/debian-security",
};

test("lines of sources.list say where Debian's archive is", async (t) => {
  const apt = await aptOf(t, {
    "sources.list": `# deb http://commented.example/debian bookworm main
deb-src http://source.example/debian bookworm main
deb cdrom:[Debian GNU/Linux 12]/ bookworm main
deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://mirror.example/debian bookworm main contrib # ours
deb http://second.example/debian bookworm main
deb https://security.example/debian-security bookworm-security main
`,
  });
  assert.deepEqual(await findHostArchive(apt), archive);
});

test("so do paragraphs of fields, without those that are switched off", async (t) => {
  const apt = await aptOf(t, {
    "sources.list.d/a.sources": `Types: deb
URIs: http://off.example/debian
Suites: trixie
Components: main
Enabled: no
`,
    "sources.list.d/debian.sources": `# made by an installer
types: deb deb-src
URIs: http://mirror.example/debian
 http://second.example/debian
Suites: trixie trixie-updates
# between two fields
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.pgp

Types: deb
URIs: https://security.example/debian-security
Suites: trixie-security
Components: main
`,
    "sources.list.d/old.list.disabled": "deb http://disabled.example/debian trixie main\n",
  });
  assert.deepEqual(await findHostArchive(apt), archive);
});

test("archives of others are not Debian's, whatever they call their suites", async (t) => {
  const apt = await aptOf(t, {
    "sources.list.d/a.list": `deb [signed-by=/usr/share/keyrings/vendor.gpg] http://vendor.example/debian bookworm main
deb http://vendor.example/tool stable tool
deb http://vendor.example/db bookworm-db main
`,
    "sources.list.d/b.sources": `Types: deb
URIs: http://vendor.example/debian
Suites: bookworm
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 -----END PGP PUBLIC KEY BLOCK-----
`,
    "sources.list.d/debian.list": `deb http://mirror.example/debian bookworm main
deb https://security.example/debian-security bookworm/updates main
`,
  });
  assert.deepEqual(await findHostArchive(apt), archive);
});

test("a list of mirrors stands for its first one", async (t) => {
  const apt = await aptOf(t, {
    "mirrors/debian.list": "http://mirror.example/debian\tpriority:1\nhttp://second.example/debian\n",
    "sources.list": "deb mirror+file:APT/mirrors/debian.list stable main\n",
  });
  assert.deepEqual(await findHostArchive(apt), {
    main: "http://mirror.example/debian",
    security: "http://mirror.example/debian-security",
  });
});

test("a host without an archive of Debian is told which setting it needs", async (t) => {
  const other = { "sources.list": "deb http://archive.example/ubuntu noble main\n" };
  for (const files of [{}, other, { "sources.list": "deb file:/srv/debian trixie main\n" }])
    await assert.rejects(findHostArchive(await aptOf(t, files)), /TIJOLO_DEBIAN_MIRROR/);
});

test("the archive of a setting is below its address", () => {
  assert.deepEqual(archiveBelow("https://mirror.example/all/"), {
    main: "https://mirror.example/all/debian",
    security: "https://mirror.example/all/debian-security",
  });
});
