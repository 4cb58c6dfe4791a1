/** Tests `tijolo cluster …` as an operator types it, against a real central. */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { MessageLanguage } from "@tijolo/cli";
import {
  defaultServiceLimits,
  planNames,
  type AccountSummary,
  type PasswordLink,
  type PlanName,
} from "@tijolo/protocol";
import { authenticatorCode } from "../support/people/authenticator.ts";
import { CommandLine } from "../support/commands/command-line.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

let cluster: TestCluster;
let line: CommandLine;
before(async () => {
  cluster = await TestCluster.create();
  line = await CommandLine.create();
  line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
});
after(async () => {
  await line[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

const run = (words: string, language?: MessageLanguage) =>
  line.run(["cluster", ...words.split(" ")], language);
const json = async (words: string) =>
  JSON.parse((await run(`${words} --json`)).stdout) as Record<string, unknown>;
let made = 0;
async function newAccount(
  plan: PlanName,
): Promise<{ name: string; id: string; client: ReturnType<TestCluster["client"]> }> {
  const name = `Conta${++made}`;
  const { account } = (await json(`account create --name ${name} --plan ${plan}`)) as {
    account: AccountSummary;
  };
  const { key } = (await json(`key create --account ${name}`)) as { key: { key: string } };
  return { name, id: account.id, client: cluster.client(key.key) };
}

suite("an operator's command", () => {
  test("names an account by id or name, and says what to do when that is none or several", async () => {
    const { name, id } = await newAccount("Free");
    for (const reference of [id, name, id.toLowerCase()]) {
      assert.equal((await run(`account plan ${reference} Block`)).code, 0);
    }
    const none = await run("account plan Ninguém Block");
    assert.equal(none.code, 1);
    assert.match(none.stderr, /Ninguém.*tijolo cluster account list/);
    const { account: twin } = (await json(`account create --name ${name}`)) as { account: AccountSummary };
    const several = await run(`account suspend ${name}`, "en");
    assert.equal(several.code, 1);
    assert.ok(several.stderr.includes(id) && several.stderr.includes(twin.id), several.stderr);
    for (const words of [
      "account plan",
      "account plan x",
      "account plan x Gold",
      "account suspend",
      "account suspend x --grace soon",
    ]) {
      const { code, stderr } = await run(words);
      assert.equal(code, 2, `${words}: ${stderr}`);
    }
  });

  test("changes the plan and says what does not fit any more", async () => {
    const { name, client } = await newAccount("Stack");
    const project = await SimulatedProject.create({ client }, "sim run", { config: { memoryMb: 1024 } });
    await project.is("running");
    const smaller = await run(`account plan ${name} Free`);
    assert.equal(smaller.code, 0);
    assert.match(smaller.stdout, /Stack para o Free/);
    assert.match(smaller.stdout, /1024 MB, o plano tem 512 MB/);
    assert.equal((await project.get()).status, "running");
    assert.match((await run(`account plan ${name} Free`, "en")).stdout, /on Free already/);
    const { excess } = await json(`account plan ${name} Block`);
    assert.deepEqual(excess, []);
  });

  test("suspends with a grace, and resumes, naming what was stopped", async () => {
    const { name, id, client } = await newAccount("Stack");
    const project = await SimulatedProject.create({ client }, "sim run");
    await project.is("running");
    const suspended = await run(`account suspend ${name} --grace 48h`);
    assert.match(suspended.stdout, /suspensa/);
    assert.ok(suspended.stdout.includes(`bot (${project.id})`));
    const { accounts } = (await json("account list")) as { accounts: AccountSummary[] };
    const shown = accounts.find((account) => account.id === id);
    assert.equal(Date.parse(shown?.stopsAt ?? "") - Date.parse(shown?.suspendedAt ?? ""), 48 * 3_600_000);
    assert.match(
      (await run("account list")).stdout,
      new RegExp(`${name} .*suspensa, para em .*256/4096 +1/12 +0/6 +0/10`),
    );
    await run(`account suspend ${name} --grace 0`);
    await project.is("stopped");
    assert.match((await run("account list", "en")).stdout, new RegExp(`${name} .*suspended, stopped since`));
    const resumed = await run(`account resume ${name}`);
    assert.ok(resumed.stdout.includes(project.id), resumed.stdout);
    assert.match((await run(`account resume ${name}`)).stdout, /não estava suspensa/);
    await project.start();
  });

  test("ends a beta, or calls that off", async () => {
    const { name, client } = await newAccount("Tower");
    assert.match((await run(`account beta-ending ${name} --in 2h`)).stdout, /volta ao plano Free/);
    await assert.rejects(SimulatedProject.create({ client }, "sim run"), { code: "beta_ending" });
    assert.match((await run(`account beta-ending ${name} --cancel`, "en")).stdout, /stays on Tower/);
    assert.equal((await run(`account beta-ending ${name} --cancel --in 2h`)).code, 2);
    await SimulatedProject.create({ client }, "sim run");
  });

  test("shows the plans and limits in effect, each by name", async () => {
    const { plans, limits } = (await json("plans")) as {
      plans: { name: string; requestsPerMinute: number }[];
      limits: object;
    };
    assert.deepEqual(
      plans.map(({ name }) => name),
      [...planNames],
    );
    assert.equal(plans[0]?.requestsPerMinute, 1_000_000, "the cluster's own file is in effect");
    assert.deepEqual(Object.keys(limits), Object.keys(defaultServiceLimits));
    const { stdout } = await run("plans");
    assert.match(stdout, /Plano +Free +Block +Stack +Tower +Fortress +Empresas/);
    assert.match(stdout, /Memória \(MB\) +512 +2048/);
    assert.match(stdout, /Reinicia o que cai +não +sim/);
    assert.equal(
      stdout.trim().split("\n").length,
      1 + Object.keys(plans[0] ?? {}).length - 1 + 1 + Object.keys(limits).length,
    );
  });

  test("invites a person, and makes a link for a password; an account without a person needs an e-mail", async () => {
    const { invitation } = (await json("invite --plan Block")) as { invitation: { url: string } };
    assert.match(invitation.url, /\/sign-up\?invitation=/);
    const { name } = await newAccount("Free");
    const refused = await run(`account reset-password ${name}`);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /ainda não tem pessoa.*--email/);
    const email = `ana${made}@example.com`;
    const { stdout, stderr, code } = await run(`account reset-password ${name} --email ${email}`);
    assert.equal(code, 0);
    assert.match(stdout, /^http:\/\/\S+\n$/);
    assert.ok(stderr.includes(email), "whom it is for");
    const again = await run(`account reset-password ${email}`, "en");
    assert.equal(again.code, 0, "the person's e-mail names the account now");
    assert.ok(again.stderr.includes(email));
    const { link } = (await json(`account reset-password ${name}`)) as { link: PasswordLink };
    assert.equal(link.email, email);
    const other = await run(`account reset-password ${name} --email outra@example.com`);
    assert.deepEqual([other.code, other.stdout], [1, ""]);
    assert.match(other.stderr, new RegExp(`A pessoa desta conta é ${email}.*invalid_request`));
  });

  test("ends the second factor of who has lost it, after which the password is enough", async () => {
    const ana = await PanelSession.signUp(cluster, { email: "sem-celular@example.com" });
    assert.match((await run(`account end-two-factor ${ana.email}`)).stdout, /não tinha/);
    const { uri } = await ana.client.beginTwoFactor({ body: { password: ana.password } });
    await ana.client.confirmTwoFactor({ body: { code: authenticatorCode(uri, cluster.clock.now()) } });
    const signIn = async () =>
      new PanelSession(cluster.central.url).client.signIn({
        body: { email: ana.email, password: ana.password },
      });
    assert.equal((await signIn()).isTwoFactorRequired, true);
    const ended = await run(`account end-two-factor ${ana.email}`, "en");
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stdout, /The second factor of Ana is off/);
    assert.equal((await signIn()).isTwoFactorRequired, false);
    assert.deepEqual(await json(`account end-two-factor ${ana.accountId}`), { wasOn: false });
    const { name } = await newAccount("Free");
    const refused = await run(`account end-two-factor ${name}`);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /só usa chaves/);
    assert.equal((await run("account end-two-factor")).code, 2);
  });

  test("gives a person a role, shows people beside tokens, and takes the role again", async () => {
    const ana = await PanelSession.signUp(cluster, { name: "Ana Lima", email: "opera@example.com" });
    const added = await run(`operator add ${ana.email} --role viewer`);
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, /Ana Lima \(opera@example\.com\) agora opera o cluster com o papel viewer/);
    assert.match(added.stderr, /falta ligar a entrada em duas etapas/);
    assert.equal((await ana.client.getSession()).person.operatorRole, "viewer");
    await run("operator add plantão");
    const { stdout } = await run("operator list", "en");
    assert.match(stdout, /Ana Lima +viewer +opera@example\.com \(no second factor\) +it is revoked/);
    assert.match(stdout, /plantão +operator +tjo_\S+… +it is revoked/);
    const { operators } = (await json("operator list")) as { operators: { kind: string }[] };
    assert.deepEqual(operators.map(({ kind }) => kind).toSorted(), ["person", "token", "token"]);
    assert.equal((await run(`operator add ${ana.email} --expires 30d`)).code, 2);
    const unknown = await run("operator add ninguem@example.com", "en");
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /Nobody here has the e-mail ninguem@example\.com.*tijolo cluster invite/);
    assert.match((await run(`operator revoke ${ana.email}`)).stderr, /tiraria de Ana Lima o papel/);
    const revoked = await run(`operator revoke ${ana.email} --yes`, "en");
    assert.match(revoked.stdout, /Ana Lima does not run the cluster any more\. The account stays\./);
    assert.equal((await ana.client.getSession()).person.operatorRole, null);
    assert.match((await run("operator revoke plantão --yes")).stdout, /plantão foi revogado: o token/);
  });

  test("prints a new start link alone, which makes an owner", async () => {
    const { stdout, stderr, code } = await run("operator link", "en");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^http:\/\/\S+\/start#token=tjl_[\w-]{43}\n$/);
    assert.match(stderr, /becomes an owner of the cluster\. It works once, until/);
    const { link } = (await json("operator link")) as { link: { token: string } };
    const bia = new PanelSession(cluster.centralUrl);
    const body = { token: link.token, email: "dona@example.com", password: "uma senha bem comprida" };
    assert.equal((await bia.client.createFirstPerson({ body })).person.operatorRole, "owner");
  });

  test("with a wrong token is refused, in the person's language", async () => {
    await using stranger = await CommandLine.create();
    stranger.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: `tjo_${"x".repeat(40)}` };
    for (const words of [["plans"], ["invite"], ["account", "list"], ["account", "suspend", "Conta1"]]) {
      const { code, stderr } = await stranger.run(["cluster", ...words]);
      assert.equal(code, 1);
      assert.match(stderr, /não foi aceito/);
    }
  });
});
