import assert from "node:assert/strict";
import { test } from "node:test";
import { newcomersIn } from "./apt-install.ts";

test("the packages that are new by an installation are told from those that it upgrades", () => {
  const simulated = `NOTE: This is only a simulation!
Reading package lists...
The following NEW packages will be installed:
  mmdebstrap
Inst perl-base [5.36.0-7] (5.36.0-7+deb12u1 Debian:12/stable [amd64])
Inst mmdebstrap (1.3.5-7 Debian:12/stable [all])
Inst libnss-systemd:amd64 (252.38-1 Debian:12/stable [amd64]) []
Conf mmdebstrap (1.3.5-7 Debian:12/stable [all])
`;
  assert.deepEqual(newcomersIn(simulated), ["mmdebstrap", "libnss-systemd:amd64"]);
});
