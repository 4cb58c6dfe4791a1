import assert from "node:assert/strict";
import { test } from "node:test";
import type { Domain } from "@tijolo/protocol";
import { createRunner } from "../../../../test/support/commands/command-runner.ts";

const domain: Domain = {
  hostname: "www.xn--caf-dma.com.br",
  unicodeHostname: "www.café.com.br",
  status: "pending",
  redirectTo: null,
  records: [
    {
      way: "cname",
      type: "CNAME",
      name: "www.xn--caf-dma.com.br",
      value: "abc.dominios.tijolo.dev",
      found: ["loja\u001b[2J.dev"],
      isRight: false,
    },
    {
      way: "addresses",
      type: "TXT",
      name: "_tijolo.www.xn--caf-dma.com.br",
      value: "tijolo-1",
      found: ["tijolo-1"],
      isRight: true,
    },
  ],
  error: { code: "proof_missing", message: "O registro ainda não aparece." },
  certificate: { status: "none", isOwn: false, issuer: null, expiresAt: null, error: null },
  checkedAt: null,
  createdAt: "2026-01-31T12:00:00.000Z",
};
const projectId = "01J0000000000000000000000A";

async function domainRunner() {
  const runner = await createRunner();
  const sent: [method: string, path: string, body: unknown][] = [];
  runner.environment = { TIJOLO_URL: "http://central", TIJOLO_KEY: "svc_key" };
  runner.answer = async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/projects"))
      return Response.json({ projects: [{ id: projectId, name: "loja" }], nextCursor: null });
    if (pathname.endsWith(projectId)) return Response.json({ project: { id: projectId, name: "loja" } });
    sent.push([request.method, decodeURIComponent(pathname), await request.json().catch(() => null)]);
    if (request.method === "DELETE") return new Response(null, { status: 204 });
    if (request.method === "GET") return Response.json({ domains: [domain] });
    return Response.json({ domain }, { status: pathname.endsWith("/verify") ? 200 : 201 });
  };
  return { runner, sent };
}

test("wanted and found records stand side by side, by each way, and steer no terminal", async () => {
  const { runner } = await domainRunner();
  await using _ = runner;
  const { code, stdout, stderr } = await runner.run(["domains", "list", projectId]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /www\.café\.com\.br \(www\.xn--caf-dma\.com\.br\) {2}à espera do DNS/);
  assert.match(stdout, /O registro ainda não aparece\./);
  assert.match(stdout, /· +CNAME +www\.xn--caf-dma\.com\.br +abc\.dominios\.tijolo\.dev +loja\\x1b\[2J\.dev/);
  assert.match(stdout, /✓ +TXT +_tijolo\.www\.xn--caf-dma\.com\.br +tijolo-1 +tijolo-1/);
  assert.ok(stdout.indexOf("CNAME:") < stdout.indexOf("Ou com endereços"));
});

test("a domain is added, checked and removed; a check of one that is not active fails", async () => {
  const { runner, sent } = await domainRunner();
  await using _ = runner;
  const words = ["www.café.com.br", "-p", projectId];
  assert.equal((await runner.run(["domains", "add", ...words, "--redirect-to", "café.com.br"])).code, 0);
  assert.equal((await runner.run(["domains", "verify", ...words])).code, 1);
  assert.equal((await runner.run(["domains", "remove", projectId, "www.café.com.br"])).code, 0);
  const path = `/api/projects/${projectId}/domains`;
  assert.deepEqual(sent, [
    ["POST", path, { hostname: "www.café.com.br", redirectTo: "café.com.br" }],
    ["POST", `${path}/www.café.com.br/verify`, null],
    ["DELETE", `${path}/www.café.com.br`, null],
  ]);
  assert.equal((await runner.run(["domains", "add"])).code, 2);
});
