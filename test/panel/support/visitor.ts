/**
 * A person with a browser at the panel. What the browser complains about on the way (errors of scripts and of
 * the console, refusals by the content policy) fails the test when the visitor leaves.
 */

import assert from "node:assert/strict";
import type { BrowserContext, ConsoleMessage, Page } from "playwright-core";
import type { PanelSession } from "../../support/people/panel.ts";
import type { TestCluster } from "../../support/cluster/test-cluster.ts";
import { plainHost, sharedBrowser } from "./browser.ts";

export interface VisitorOptions {
  theme?: "light" | "dark";
  language?: "pt" | "en";
  /** True for a phone's screen and touches. */
  phone?: boolean;
  /** True at an address that is neither `localhost` nor HTTPS, as at home: browsers hold features back there. */
  isPlain?: boolean;
  /** Session with which the visitor comes; without one, a stranger. */
  session?: PanelSession;
}

const locales = { pt: "pt-BR", en: "en-US" };
const desk = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
/** Milliseconds; generous, for a busy machine. */
const timeoutMs = 60_000;

export class Visitor implements AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Address of the panel; `localhost`, as passkeys need a name, unless it is to be a plain one. */
  readonly origin: string;
  /** What the browser complained about, in order. */
  readonly complaints: string[] = [];
  #overlooked: RegExp[] = [];

  private constructor(context: BrowserContext, page: Page, origin: string) {
    this.context = context;
    this.page = page;
    this.origin = origin;
  }

  /** Opens a page of the panel in a browser of its own: no cookies or storage of another visitor. */
  static async open(
    cluster: Pick<TestCluster, "centralUrl">,
    path = "/",
    {
      theme = "light",
      language = "pt",
      phone: isPhone = false,
      isPlain = false,
      session,
    }: VisitorOptions = {},
  ): Promise<Visitor> {
    const { port } = new URL(cluster.centralUrl);
    const origin = `http://${isPlain ? plainHost : "localhost"}:${port}`;
    try {
      const browser = await sharedBrowser.enter(Number(port));
      const context = await browser.newContext({
        ...(isPhone ? phone : desk),
        baseURL: origin,
        colorScheme: theme,
        locale: locales[language],
      });
      context.setDefaultTimeout(timeoutMs);
      const page = await context.newPage();
      const visitor = new Visitor(context, page, origin);
      await visitor.#listen();
      if (session !== undefined) await visitor.signIn(session);
      await page.goto(path);
      return visitor;
    } catch (error) {
      sharedBrowser.leave();
      throw error;
    }
  }

  /** Gives the browser the cookies of a session; the next page that is opened has it. */
  async signIn({ cookies }: Pick<PanelSession, "cookies">): Promise<void> {
    await this.context.addCookies(
      [...cookies].map(([name, value]) => ({
        name,
        value,
        url: this.origin,
        httpOnly: true,
        sameSite: "Lax" as const,
      })),
    );
  }

  /** Lets the browser reach another server on this machine's loopback. */
  async carry(url: string): Promise<void> {
    await sharedBrowser.enter(Number(new URL(url).port));
    sharedBrowser.leave();
  }

  /** Expects complaints that match: they are no reason to fail. */
  overlook(complaint: RegExp): void {
    this.#overlooked.push(complaint);
  }

  /** Throws when the browser complained about something that was not expected. */
  assertNoComplaints(): void {
    const unexpected = this.complaints.filter((text) => !this.#overlooked.some((known) => known.test(text)));
    assert.deepEqual(unexpected, []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close().finally(() => sharedBrowser.leave());
    this.assertNoComplaints();
  }

  async #listen(): Promise<void> {
    this.context.on("page", (page) => this.#listenTo(page));
    this.#listenTo(this.page);
    await this.context.exposeBinding("tijoloPolicyReport", (_source, report: string) =>
      this.complaints.push(`policy: ${report}`),
    );
    await this.context.addInitScript(reportPolicy);
  }

  #listenTo(page: Page): void {
    page.on("pageerror", (error) => this.complaints.push(`error: ${error.stack ?? error.message}`));
    page.on("crash", () => this.complaints.push("the page crashed"));
    page.on("console", (message) => {
      if (message.type() === "error" && !isRefusal(message))
        this.complaints.push(`console: ${message.text()} (${message.location().url})`);
    });
  }
}

/** True for the browser's own line about an answer 4xx of the interface, which the panel shows in its way. */
function isRefusal(message: ConsoleMessage): boolean {
  return (
    new URL(message.location().url || "about:blank").pathname.startsWith("/api/") &&
    /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())
  );
}

/** Runs in the page: it is sent there as its own source. */
function reportPolicy(): void {
  interface Violation {
    effectiveDirective: string;
    blockedURI: string;
    sourceFile: string;
    lineNumber: number;
  }
  const page = globalThis as unknown as {
    document: { addEventListener(type: string, listener: (violation: Violation) => void): void };
    tijoloPolicyReport(report: string): Promise<void>;
  };
  page.document.addEventListener("securitypolicyviolation", (violation) => {
    const { effectiveDirective, blockedURI, sourceFile, lineNumber } = violation;
    void page.tijoloPolicyReport(`${effectiveDirective} ${blockedURI} at ${sourceFile}:${lineNumber}`);
  });
}
