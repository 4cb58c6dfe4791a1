/**
 * Runs one `npm start`: central, then the agent, then on a first start account and examples; and ends them in
 * reverse.
 */

import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommandContext } from "../command-context.ts";
import { deployExamples, makeFirstAccount, operatorOf, type FirstStart } from "./first-start.ts";
import { machineNewsText } from "./machine-news-text.ts";
import { nodeFlags } from "./node-flags.ts";
import { PanelBuildError, PanelPreparation } from "./panel-preparation.ts";
import { prepareHaproxy, type HaproxyPreparation } from "./prepare-haproxy.ts";
import { ServiceLines } from "./service-lines.ts";
import { Service } from "./service.ts";
import type { StartConfig } from "./start-config.ts";

/** A HAProxy that was fetched is renewed daily, and some time after the start: many a start lasts no day. */
const renewalMs = { first: 10 * 60_000, next: 24 * 60 * 60_000 };
const centralTimeoutMs = 60_000;
/** Milliseconds to wait for the agent: on a new host it makes its tools image before it serves. */
const agentTimeoutMs = 15 * 60_000;
const linkTimeoutMs = 60_000;
const gatewayTimeoutMs = 90_000;
const stopGraceMs = 15_000;
/** Beginning of the agent's warning when central was set back to before this machine joined. */
const unknownHost = "central does not know this host";

export class ClusterStart implements AsyncDisposable {
  readonly #context: CommandContext;
  readonly #config: StartConfig;
  readonly #root: string;
  readonly #services: Service[] = [];
  readonly #lines: ServiceLines;
  #panel: PanelPreparation | null = null;
  #isServing = false;
  #isClosed = false;
  #renewal: NodeJS.Timeout | undefined;

  constructor(context: CommandContext, config: StartConfig, root: string) {
    this.#context = context;
    this.#lines = new ServiceLines(context);
    this.#config = config;
    this.#root = root;
  }

  /** Resolves once everything serves and the summary is shown. */
  async run(): Promise<void> {
    const { output, messages, clock } = this.#context;
    const startedAt = clock.now();
    if (this.#config.runtime === "process") output.note(output.noteStyle("red", messages.start.noIsolation));
    await mkdir(this.#config.logsDirectory, { recursive: true, mode: 0o700 });
    const seconds = () => ((clock.now() - startedAt) / 1000).toFixed(1);

    const hasGateway = await this.#prepareGateway();
    const panel = await PanelPreparation.find(this.#root, this.#config.centralEnvironment);
    this.#panel = panel;
    const central = this.#service("central", "central/src/main.ts", {
      ...this.#config.centralEnvironment,
      ...(hasGateway ? this.#config.behindGateway : {}),
      ...panel.settings,
    });
    central.start();
    const { fields } = await central.waitForRecord(
      ({ message }) => message === "central serves",
      centralTimeoutMs,
    );
    const addresses = {
      api: String(fields["api"]),
      gateway: hasGateway ? `http://${this.#config.sitesListen}` : String(fields["gateway"]),
    };
    const panelUrl = String(fields["panel"]);
    output.note(messages.start.centralServes(addresses.api, seconds()));

    const first = await this.#findFirstStart(addresses.api);
    if (first !== null) await this.#writeJoinToken(first);
    const agent = this.#service("agent", "agent/src/main.ts", {
      ...this.#config.agentEnvironment,
      TIJOLO_CENTRAL_URL: addresses.api,
    });
    agent.start();
    if (hasGateway) await this.#startGateway(addresses, seconds);
    const panelIsReady = this.#preparePanel(panel, () => messages.start.panelServes(panelUrl, seconds()));
    await agent.waitForRecord(({ message }) => message === "agent serves", agentTimeoutMs);
    // A host that central does not know, as after a restore, goes on asking, and the agent's warning says what
    // an operator does, for which central has to stay up. On a first start the token is there, and it joins.
    const { message } = await agent.waitForRecord(
      (record) =>
        record.message === "link: connected" || (first === null && record.message.startsWith(unknownHost)),
      linkTimeoutMs,
    );
    if (message === "link: connected") {
      await rm(this.#config.joinTokenFile, { force: true });
      output.note(messages.start.agentServes(seconds()));
    }
    this.#isServing = true;
    if (first === null) output.line(messages.start.servesAgain(addresses.api, addresses.gateway, seconds()));
    else await this.#setUp(first, addresses);
    if (this.#config.runtime === "process") output.line(output.style("red", messages.start.noIsolation));
    output.line(messages.start.logsAre(this.#config.logsDirectory));
    output.line(messages.start.howToStop);
    // What is built beside the rest reports here, too, and the address stays the last line.
    await panelIsReady;
    await this.#showAddress(panelUrl);
  }

  /**
   * Returns whether a gateway serves the visitors. Without HAProxy central does, as it says.
   */
  async #prepareGateway(): Promise<boolean> {
    const { output, messages, signal } = this.#context;
    const reason = await prepareHaproxy({
      root: this.#root,
      environment: this.#config.gatewayEnvironment,
      what: this.#config.runtime === "process" ? "present" : "fetch",
      ...this.#gatewayNews(),
      signal,
    });
    if (reason !== null) output.note(output.noteStyle("yellow", messages.start.noHaproxy(reason)));
    return reason === null;
  }

  async #startGateway(
    { api, gateway: url }: { api: string; gateway: string },
    seconds: () => string,
  ): Promise<void> {
    const { output, messages } = this.#context;
    const gateway = this.#service("gateway", "central/gateway/src/main.ts", {
      ...this.#config.gatewayEnvironment,
      TIJOLO_CENTRAL_URL: api,
    });
    gateway.start();
    this.#renewAfter(renewalMs.first);
    await gateway.waitForRecord(({ message }) => message === "gateway serves", gatewayTimeoutMs);
    output.note(messages.start.gatewayServes(url, seconds()));
    await rm(this.#config.gatewayTokenFile, { force: true });
  }

  #renewAfter(ms: number): void {
    this.#renewal = setTimeout(() => void this.#renewHaproxy(), ms);
  }

  /** Has the gateway serve visitors by Debian's newest packages, where its HAProxy was fetched. */
  async #renewHaproxy(): Promise<void> {
    const { output, messages, signal } = this.#context;
    const reason = await prepareHaproxy({
      root: this.#root,
      environment: this.#config.gatewayEnvironment,
      what: "renew",
      ...this.#gatewayNews(),
      signal,
    }).catch(() => null); // it ends with the start
    if (reason !== null) output.note(output.noteStyle("yellow", messages.start.notRenewed(reason)));
    if (!this.#isClosed) this.#renewAfter(renewalMs.next);
  }

  #gatewayNews(): Pick<HaproxyPreparation, "textOf" | "onProgress"> {
    const { output, messages } = this.#context;
    return {
      textOf: (news) => machineNewsText(messages, news),
      onProgress: (text) => output.note(output.noteStyle("dim", `  gateway: ${text}`)),
    };
  }

  /** Builds the panel beside everything else, which goes on when that fails. */
  async #preparePanel(panel: PanelPreparation, text: () => string): Promise<void> {
    const { output, messages } = this.#context;
    try {
      await panel.run();
      if (!this.#isClosed) output.note(text());
    } catch (cause) {
      const lines = cause instanceof PanelBuildError ? cause.lines : [String(cause)];
      output.note(
        output.noteStyle("yellow", messages.start.panelFailed(lines.map((line) => `  │ ${line}`).join("\n"))),
      );
    }
  }

  /** Stops the agent first, so that central receives its last report. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#renewal);
    const { output, messages } = this.#context;
    await this.#panel?.[Symbol.asyncDispose]();
    for (const service of this.#services.toReversed()) {
      const how = await service.stop(stopGraceMs);
      service[Symbol.dispose]();
      if (how !== "was not running") output.note(messages.start.stopped(service.name, how === "killed"));
    }
    if (this.#isServing)
      output.line(
        this.#config.runtime === "process" ? messages.start.processesGoOn : messages.start.projectsGoOn,
      );
  }

  killAll(): void {
    for (const service of this.#services) service.kill();
  }

  /** Finds an unfinished first start: the file that central leaves for it stays until it is through. */
  async #findFirstStart(serverUrl: string): Promise<FirstStart | null> {
    if (!existsSync(this.#config.bootstrapFile)) return null;
    const operatorToken = (await readFile(this.#config.bootstrapFile, "utf8")).trim();
    return {
      serverUrl,
      operatorToken,
      examplesDirectory: join(this.#root, "examples"),
      keyFile: this.#config.firstKeyFile,
    };
  }

  async #writeJoinToken(first: FirstStart): Promise<void> {
    const { token } = await operatorOf(this.#context, first).createJoinToken({ body: {} });
    await rm(this.#config.joinTokenFile, { force: true });
    await writeFile(this.#config.joinTokenFile, `${token}\n`, { mode: 0o600, flag: "wx" });
  }

  async #setUp(first: FirstStart, addresses: { api: string; gateway: string }): Promise<void> {
    const { output, messages, signal } = this.#context;
    const { key, client } = await makeFirstAccount(this.#context, first);
    await deployExamples(this.#context, first, client).catch((cause: unknown) => {
      signal.throwIfAborted();
      output.note(
        output.noteStyle(
          "yellow",
          messages.start.exampleFailed(cause instanceof Error ? cause.message : String(cause)),
        ),
      );
    });
    const { projects } = await client.listProjects({}, { signal });
    const { plainSiteUrlPattern: plain } = await client.getService({}, { signal });
    const sites = projects.flatMap(({ url, subdomain }) =>
      url === null || subdomain === null ? [] : [plain?.replace("*", subdomain) ?? url],
    );
    const { https } = this.#config.sitePatterns;
    output.line("");
    output.line(output.style("bold", messages.start.ready));
    output.line(
      messages.start.summary({
        ...addresses,
        sites,
        https: plain === null ? null : https,
        key,
        operatorToken: first.operatorToken,
      }),
    );
    await rm(this.#config.firstKeyFile, { force: true });
    await rm(this.#config.bootstrapFile, { force: true });
  }

  /** Shows what to open in a browser, alone and last: the link of the first person, or the panel. */
  async #showAddress(panelUrl: string): Promise<void> {
    const { output, messages } = this.#context;
    const link = (await readFile(this.#config.startLinkFile, "utf8").catch(() => "")).trim();
    output.line("");
    output.line(link === "" ? messages.start.openPanel : messages.start.openLink);
    output.line("");
    output.line(output.style("bold", link === "" ? `${panelUrl.replace(/\/+$/, "")}/` : link));
  }

  #service(
    name: "central" | "gateway" | "agent",
    entry: string,
    environment: Record<string, string>,
  ): Service {
    if (this.#isClosed) throw new Error("closed");
    const logFile = join(this.#config.logsDirectory, `${name}.log`);
    const service = new Service({
      name,
      entry: join(this.#root, entry),
      nodeFlags: nodeFlags[name],
      environment,
      logFile,
      onRecord: (record) => this.#lines.show(name, record),
      onEnd: (how, returnsInMs) => {
        const { output, messages } = this.#context;
        output.note(output.noteStyle("red", messages.start.ended({ name, how, returnsInMs, logFile })));
      },
    });
    this.#services.push(service);
    return service;
  }
}
