/** Tests the security and the notices of an account in the browser: two steps, passkeys, sessions, notices. */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { makeNotice } from "../support/notices/make-notice.ts";
import { Receiver } from "../support/notices/receiver.ts";
import { authenticatorCode } from "../support/people/authenticator.ts";
import { PanelSession } from "../support/people/panel.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { withAuthenticator } from "./support/with-authenticator.ts";
import { Visitor } from "./support/visitor.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({
    hosts: 0,
    panel: true,
    centralSettings: { TIJOLO_WEBHOOKS_TO_PRIVATE_ADDRESSES: "yes" },
  });
});
after(() => cluster[Symbol.asyncDispose]());

suite("security in the panel", () => {
  test("two steps are turned on and off by keyboard, and a wrong password stands at its field", async () => {
    const session = await PanelSession.signUp(cluster);
    await using visitor = await Visitor.open(cluster, "/account/security", { session });
    const { page } = visitor;
    await page.getByRole("button", { name: "Ligar", exact: true }).press("Enter");
    const dialog = page.getByRole("dialog");
    const password = dialog.getByLabel("Senha", { exact: true });
    await password.fill("errada");
    await page.keyboard.press("Enter");
    await dialog.getByText("A senha está errada").waitFor();
    assert.equal(await password.inputValue(), "errada");
    await password.and(page.locator(":focus")).waitFor();
    await password.fill(session.password);
    await page.keyboard.press("Enter");
    await dialog.getByRole("img", { name: "Código QR" }).waitFor();
    const secret = await dialog.getByRole("group", { name: "Segredo" }).locator("code").textContent();
    assert.equal(await dialog.getByRole("listitem").count(), 10);
    const download = page.waitForEvent("download");
    await dialog.getByRole("link", { name: "Baixar" }).press("Enter");
    assert.equal((await download).suggestedFilename(), "tijolo-codigos-de-recuperacao.txt");

    const code = dialog.getByLabel("Código do autenticador");
    await code.fill("000000");
    await page.keyboard.press("Enter");
    await dialog.getByText("O código está errado").waitFor();
    await code.fill(authenticatorCode(`otpauth://totp/x?secret=${secret}`, cluster.clock.now()));
    await page.keyboard.press("Enter");
    await page.getByText("Ligada", { exact: true }).waitFor();
    assert.equal((await session.client.getSession()).person.hasTwoFactor, true);

    await page.getByRole("button", { name: "Códigos novos" }).press("Enter");
    await password.fill(session.password);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Códigos de recuperação novos" }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Guardei os códigos" }).press("Enter");
    await page.getByRole("button", { name: "Desligar" }).press("Enter");
    await password.fill(session.password);
    await page.keyboard.press("Enter");
    await page.getByText("Desligada", { exact: true }).waitFor();
  });

  test("a passkey is added, renamed, signs in, and is removed", async () => {
    const session = await PanelSession.signUp(cluster);
    await using visitor = await Visitor.open(cluster, "/account/security", { session });
    const { page } = visitor;
    await withAuthenticator(visitor);
    await page.getByRole("button", { name: "Adicionar" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Nome").fill("Notebook");
    await dialog.getByLabel("Senha", { exact: true }).fill(session.password);
    await page.keyboard.press("Enter");
    await page.getByRole("rowheader", { name: "Notebook" }).waitFor();
    await page.getByRole("button", { name: "Mudar o nome de “Notebook”" }).click();
    await dialog.getByLabel("Nome").fill("Celular");
    await page.keyboard.press("Enter");
    await page.getByRole("rowheader", { name: "Celular" }).waitFor();

    await visitor.context.clearCookies();
    await page.goto("/sign-in?next=/account/security");
    // The browser offers it in the field of the email; the device says yes at once.
    await page.getByRole("rowheader", { name: "Celular" }).waitFor();
    await page.getByRole("button", { name: "Remover a chave de acesso “Celular”?" }).click();
    await dialog.getByLabel("Senha", { exact: true }).fill(session.password);
    await page.keyboard.press("Enter");
    await page.getByText("Nenhuma chave de acesso ainda.").waitFor();
  });

  test("an operator's passkey opens the cluster's area, and confirms a change in the place of the password", async () => {
    await using own = await TestCluster.create({ hosts: 0, panel: true });
    const session = await PanelSession.signUp(own);
    await own.admin.addOperatorPerson({ body: { email: session.email, role: "owner" } });
    await using visitor = await Visitor.open(own, "/account/security", { session });
    const { page } = visitor;
    await withAuthenticator(visitor);
    await page.getByRole("button", { name: "Adicionar" }).click();
    await page.getByRole("dialog").getByLabel("Nome").fill("Notebook");
    await page.getByRole("dialog").getByLabel("Senha", { exact: true }).fill(session.password);
    await page.keyboard.press("Enter");
    await page.getByRole("rowheader", { name: "Notebook" }).waitFor();

    await page.getByRole("link", { name: "Cluster" }).click();
    await page.getByRole("button", { name: "Usar a chave de acesso" }).press("Enter");
    await page.getByRole("link", { name: "Contas" }).click();
    await page.getByRole("heading", { level: 1, name: "Contas" }).waitFor();
    own.clock.advance(15 * 60_000);
    await page.getByRole("button", { name: "Convidar" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Convidar" }).click();
    const asked = page.getByRole("dialog", { name: "Confirme que é você" });
    await asked.getByRole("button", { name: "Usar a chave de acesso" }).press("Enter");
    await asked.waitFor({ state: "detached" });
    await page.getByRole("dialog").getByText("/sign-up?invitation=").waitFor();
  });

  test("an ended session is led out, and the page says which one is this", async () => {
    const session = await PanelSession.signUp(cluster);
    const agent =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15";
    const other = await session.elsewhere({ "user-agent": agent });
    await using visitor = await Visitor.open(cluster, "/account/security", { session });
    await using elsewhere = await Visitor.open(cluster, "/account", { session: other });
    await elsewhere.page.getByRole("heading", { name: "Plano e uso" }).waitFor();
    const { page } = visitor;
    const own = page.getByRole("row").filter({ hasText: "Esta sessão" });
    await own.waitFor();
    assert.equal(await own.getByRole("button").count(), 0);
    await page.getByRole("button", { name: /^Encerrar a sessão de Safari no iPhone/ }).press("Enter");
    await elsewhere.page.getByRole("heading", { name: "Entrar" }).waitFor();
    assert.equal(new URL(elsewhere.page.url()).pathname, "/sign-in");
    await page
      .getByRole("button", { name: "Encerrar as outras" })
      .and(page.locator("[aria-disabled]"))
      .waitFor();
  });

  test("“not me” ends this session, too, and leads to a new password", async () => {
    const session = await PanelSession.signUp(cluster);
    await using visitor = await Visitor.open(cluster, "/account/security", { session });
    const { page } = visitor;
    await page.getByRole("button", { name: "Não fui eu: proteger a conta" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Não fui eu: proteger a conta" }).click();
    await page.getByRole("heading", { name: "Senha nova por e-mail" }).waitFor();
    await assert.rejects(session.client.getSession(), { code: "not_authenticated" });
  });
});

suite("notices in the panel", () => {
  test("a new notice shows by itself, is counted in the menu, and is read by keyboard", async () => {
    const session = await PanelSession.signUp(cluster);
    await makeNotice(cluster, session.accountId, { kind: "announcement", text: "Primeiro." });
    await using visitor = await Visitor.open(cluster, "/notices", { session });
    const { page } = visitor;
    await page.getByText("Primeiro.").waitFor();
    await makeNotice(cluster, session.accountId, { kind: "announcement", text: "Segundo." });
    await page.getByText("Segundo.").waitFor();
    await page.getByRole("link", { name: /Avisos.*, 2 não lidos/ }).waitFor();
    const buttons = page.getByRole("button", { name: /^Marcar como lido: / });
    await buttons.first().press("Enter");
    await page.getByRole("link", { name: /Avisos.*, 1 não lido/ }).waitFor();
    await buttons.first().and(page.locator(":focus")).waitFor();
    await page.getByRole("radio", { name: "Não lidos" }).press("Space");
    await page.waitForURL("**/notices?unread=true");
    await page.getByText("Segundo.").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Marcar todos como lidos" }).press("Enter");
    await page.getByText("Nenhum aviso por ler.").waitFor();
  });

  test("a webhook is refused at its field, then stored with a key shown once, and tested", async () => {
    await using receiver = await Receiver.open();
    const session = await PanelSession.signUp(cluster);
    await using visitor = await Visitor.open(cluster, "/notices", { session });
    const { page } = visitor;
    await page.getByRole("switch", { name: "Enviar ao meu servidor" }).press("Space");
    const address = page.getByLabel("Endereço que recebe o POST");
    await address.fill("isto não");
    await page.keyboard.press("Enter");
    await page.locator("[aria-invalid]").waitFor();
    assert.equal(await address.inputValue(), "isto não");
    await address.fill(receiver.url());
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("group", { name: "Chave de assinatura" }).waitFor();
    await page.getByRole("button", { name: "Guardei a chave" }).press("Enter");
    await page.getByRole("button", { name: "Enviar um teste" }).press("Enter");
    await receiver.received(1);
    await until(async () => {
      await page.getByRole("button", { name: "Ver como foi" }).click();
      return page.getByText(/Última entrega: /).isVisible();
    });
  });
});
