/** Tests the ways into the panel in the browser: sign-in, second step, sign-up, links of mails, the first person. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import type { Page } from "playwright-core";
import { Mailbox } from "../support/people/mailbox.ts";
import { PanelSession } from "../support/people/panel.ts";
import { withTwoFactor } from "../support/people/two-factor.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { Visitor } from "./support/visitor.ts";

const newPassword = "outra senha bem comprida";

let mailbox: Mailbox;
let cluster: TestCluster;
before(async () => {
  mailbox = await Mailbox.open();
  cluster = await TestCluster.create({
    hosts: 0,
    panel: true,
    centralSettings: { ...mailbox.settings, TIJOLO_SIGN_UP: "open" },
  });
});
after(async () => {
  await cluster[Symbol.asyncDispose]();
  await mailbox[Symbol.asyncDispose]();
});

async function typeAndSend(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(text);
  await page.keyboard.press("Enter");
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor();

suite("entering the panel", () => {
  test("a wrong password keeps what was typed; the right one leads to where the person wanted", async () => {
    const ana = await PanelSession.signUp(cluster);
    await using visitor = await Visitor.open(cluster, "/account/activity");
    const { page } = visitor;
    await heading(page, "Entrar");
    await typeAndSend(page, { "E-mail": ana.email, Senha: "errada" });
    await page.getByRole("alert").getByText("E-mail ou senha errados").waitFor();
    assert.equal(await page.getByLabel("E-mail").inputValue(), ana.email);
    await page.getByLabel("Senha", { exact: true }).and(page.locator(":focus")).waitFor();
    await typeAndSend(page, { Senha: ana.password });
    await heading(page, "Atividade");
  });

  test("a pasted code completes the sign-in, and so does a recovery code", async () => {
    const { ana, code, recoveryCodes } = await withTwoFactor(cluster);
    await using visitor = await Visitor.open(cluster, "/sign-in");
    const { page } = visitor;
    await typeAndSend(page, { "E-mail": ana.email, Senha: ana.password });
    await heading(page, "Confirme que é você");
    const digits = code();
    await page.getByLabel("Código do autenticador").fill(`${digits.slice(0, 3)} ${digits.slice(3)}`);
    await page.getByRole("navigation", { name: "Menu principal" }).waitFor();

    await visitor.context.clearCookies();
    await page.goto("/sign-in");
    await typeAndSend(page, { "E-mail": ana.email, Senha: ana.password });
    await page.getByRole("button", { name: "Usar um código de recuperação" }).press("Enter");
    await typeAndSend(page, { "Código de recuperação": "não-é-um-código" });
    await page.getByText("O código está errado").waitFor();
    await typeAndSend(page, { "Código de recuperação": recoveryCodes[0] ?? "" });
    await page.getByRole("navigation", { name: "Menu principal" }).waitFor();
  });

  test("a sign-up is refused at its fields, and begins by the mail's link, which leaves the address", async () => {
    await using visitor = await Visitor.open(cluster, "/sign-up");
    const { page } = visitor;
    const email = "bia@example.com";
    await typeAndSend(page, { "Seu nome": "Bia", "E-mail": email, "Senha nova": "curta" });
    await page.locator('[aria-invalid="true"]').and(page.getByLabel("Senha nova")).waitFor();
    await page.getByLabel("Senha nova").and(page.locator(":focus")).waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
    await typeAndSend(page, { "Senha nova": newPassword });
    await heading(page, "Confirme pelo seu e-mail");
    const token = await mailbox.takeToken(email, "/sign-up/confirm?token=");
    await page.goto(`/sign-up/confirm?token=${token}`);
    await heading(page, "Confirmar o e-mail");
    assert.ok(!page.url().includes(token));
    await page.getByRole("button", { name: "Confirmar e entrar" }).press("Enter");
    await page.waitForURL("**/new");
    await page.goto(`/sign-up/confirm?token=${token}`);
    await page.getByRole("button", { name: "Confirmar e entrar" }).press("Enter");
    await page.getByRole("alert").getByText("O link não vale mais").waitFor();
  });

  test("a forgotten password is chosen anew by the mail's link, once", async () => {
    const ana = await PanelSession.signUp(cluster);
    await using visitor = await Visitor.open(cluster, "/sign-in");
    const { page } = visitor;
    await page.getByRole("link", { name: "Esqueci a senha" }).press("Enter");
    await heading(page, "Senha nova por e-mail");
    await typeAndSend(page, { "E-mail": ana.email });
    await heading(page, "Veja o seu e-mail");
    const token = await mailbox.takeToken(ana.email, "/password/reset?token=");
    await page.goto(`/password/reset?token=${token}`);
    await typeAndSend(page, { "Senha nova": newPassword });
    await heading(page, "Senha trocada");
    await page.goto(`/password/reset?token=${token}`);
    await typeAndSend(page, { "Senha nova": `${newPassword}!` });
    await page.getByRole("alert").getByText("O link não vale mais").waitFor();
    assert.equal(await page.getByLabel("Senha nova").inputValue(), `${newPassword}!`);
    await page.goto("/password/reset");
    await heading(page, "Este link está incompleto");
    await page.goto("/sign-in");
    await typeAndSend(page, { "E-mail": ana.email, Senha: newPassword });
    await page.getByRole("navigation", { name: "Menu principal" }).waitFor();
  });

  test("the link of a sign-in's mail protects the account", async () => {
    const ana = await PanelSession.signUp(cluster);
    await ana.elsewhere({ "user-agent": "another browser" });
    const token = await mailbox.takeToken(ana.email, "/not-me?token=");
    await using visitor = await Visitor.open(cluster, `/not-me?token=${token}`);
    const { page } = visitor;
    await heading(page, "Não foi você?");
    assert.ok((await ana.client.getSession()).session.isCurrent, "opening it does nothing");
    await page.getByRole("button", { name: "Não fui eu: proteger a conta" }).press("Enter");
    await heading(page, "A conta está protegida");
    await assert.rejects(ana.client.getSession(), { code: "not_authenticated" });
  });
});

test("an invitation makes an account where sign-up is not open, and a broken one says so", async () => {
  await using invited = await TestCluster.create({ hosts: 0, panel: true });
  const { invitation } = await invited.admin.createInvitation({ body: {} });
  await using visitor = await Visitor.open(invited, "/sign-up");
  const { page } = visitor;
  await page.getByText("As contas deste serviço são por convite").waitFor();
  const fields = { "Seu nome": "Eva", "E-mail": "eva@example.com", "Senha nova": newPassword };
  await page.goto("/sign-up?invitation=tjl_quebrado");
  await typeAndSend(page, fields);
  await page.getByRole("alert").getByText("O link não vale mais").waitFor();
  await page.goto(`/sign-up?invitation=${invitation.token}`);
  await typeAndSend(page, fields);
  await page.waitForURL("**/new");
  assert.ok(!page.url().includes(invitation.token));
});

test("the first person begins by the start link, once; too many tries count down", async () => {
  await using fresh = await TestCluster.create({ hosts: 0, panel: true, hasRealLimits: true });
  await fresh.central.writeStartLink();
  const link = new URL((await readFile(join(fresh.directory, "central", "start-link"), "utf8")).trim());
  await using visitor = await Visitor.open(fresh, `/start${link.hash}`);
  const { page } = visitor;
  await heading(page, "Bem-vindo ao Tijolo");
  assert.equal(new URL(page.url()).hash, "");
  const fields = { "Seu nome": "Ana", "E-mail": "ana@example.com", "Senha nova": newPassword };
  await typeAndSend(page, fields);
  await page.waitForURL("**/new");
  await page.getByRole("link", { name: "Cluster" }).waitFor();
  await page.goto("/sign-in");
  await page.goto(`/start${link.hash}`);
  await typeAndSend(page, { ...fields, "E-mail": "bia@example.com" });
  await page.getByRole("alert").getByText("Este link de início não vale mais").waitFor();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill("ana@example.com");
  const refused = page.getByRole("alert");
  for (let count = 0; count < 12 && !(await refused.getByText("tentativas erradas").isVisible()); count++) {
    const answered = page.waitForResponse("**/api/sign-in");
    await typeAndSend(page, { Senha: `errada ${count}` });
    await answered;
    await refused.waitFor();
  }
  await page
    .getByRole("button", { name: "Entrar", exact: true })
    .and(page.locator("[aria-disabled]"))
    .waitFor();
  await refused.getByText(/\d+ s/).first().waitFor();
});
