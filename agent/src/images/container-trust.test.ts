import assert from "node:assert/strict";
import { test } from "node:test";
import { containerTrust } from "./container-trust.ts";

test("the host's bundle is bound where the container's programs are told to look", () => {
  const { bindReadOnly, environment } = containerTrust("/host/bundle.pem");
  const [bind] = bindReadOnly;
  assert.equal(bind?.source, "/host/bundle.pem");
  for (const name of ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "PIP_CERT"])
    assert.equal(environment[name], bind?.target, name);
});
