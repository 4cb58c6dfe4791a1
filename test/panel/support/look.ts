/** Looks at a page of the panel as it stands: what is wrong with it for anybody, in words for a list. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page, Request } from "playwright-core";
import { until } from "../../support/until.ts";
import type { Visitor } from "./visitor.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rulesOfAxe = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** A window of 1280 × 1024 at 400 % zoom (WCAG 1.4.10): nothing has to fit into less. */
const least = { width: 320, height: 256 };
/** Widths at which the panel's layouts change, and that of a tablet. */
const between = [1000, 768, 641];
/** Share of such a window that what stays in its place may cover. */
const mostCovered = 0.35;
const settledMs = 60_000;
const notFound = /^(?:Não há nada neste endereço|There is nothing at this address)/;

export interface Dress {
  theme: "light" | "dark";
  language: "pt" | "en";
}

/** Chooses a language as another tab does: a document of the same browser writes it to the storage. */
const chooseElsewhere = `(language) => {
  const other = document.createElement("iframe");
  document.body.append(other);
  const before = JSON.parse(localStorage.getItem("tijolo.preferences") ?? "{}");
  other.contentWindow.localStorage.setItem("tijolo.preferences", JSON.stringify({ ...before, language }));
  other.remove();
}`;

interface Violation {
  id: string;
  targets: string[];
  summary: string;
}

/** One visitor whose requests are counted, so that a page is known to be whole. */
export class Looker {
  readonly visitor: Visitor;
  readonly page: Page;
  readonly #pending = new Set<Request>();
  #told = 0;

  constructor(visitor: Visitor, page = visitor.page) {
    this.visitor = visitor;
    this.page = page;
    page.on("request", (request) => {
      if (!isStream(request)) this.#pending.add(request);
    });
    const settled = (request: Request) => this.#pending.delete(request);
    page.on("requestfinished", settled);
    page.on("requestfailed", settled);
    page.on("framenavigated", (frame) => {
      if (frame === page.mainFrame()) this.#pending.clear();
    });
  }

  /** Opens an address and resolves once what it shows is whole. */
  async open(address: string): Promise<void> {
    await this.page.goto(address);
    await this.settle();
  }

  /** Goes to an address of the panel as a link does, without loading the document again. */
  async follow(address: string): Promise<void> {
    await this.page.evaluate(
      `history.pushState(null, "", ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent("popstate"));`,
    );
  }

  /** Where the visitor is not, when the panel led elsewhere. */
  strayed(address: string): string[] {
    const { pathname } = new URL(this.page.url());
    return pathname === address.replace(/\?.*$/, "") ? [] : [`the panel led to ${pathname}`];
  }

  /**
   * Resolves once the page has its heading and has named the document, no request is on its way, and the last answer
   * was painted. What stands in a page's place while its code comes has a heading, too, and names nothing.
   */
  async settle(): Promise<void> {
    await until(() => this.#pending.size === 0 && this.#isWhole(), {
      timeoutMs: settledMs,
      everyMs: 30,
    }).catch(() => undefined);
  }

  async #isWhole(): Promise<boolean> {
    return (await this.#isPainted()) && this.#pending.size === 0;
  }

  /** True once nothing moves any more but what turns on its own. */
  async #isPainted(): Promise<boolean> {
    const isPainted = await this.page.evaluate(
      `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.querySelector("h1") !== null && document.title !== "Tijolo" && document.getAnimations().every((animation) => animation.playState !== "running" || animation.effect?.getTiming().iterations > 1)))))`,
    );
    return isPainted === true;
  }

  /** True once the page says it, aloud: in a live region. */
  async says(words: RegExp): Promise<boolean> {
    const heard = this.page.locator("[role=status], [role=alert], [aria-live]").filter({ hasText: words });
    return heard
      .first()
      .waitFor({ state: "attached", timeout: settledMs })
      .then(
        () => true,
        () => false,
      );
  }

  /** Puts the page as it stands into a theme and a language: nothing of it is loaded again. */
  async dress({ theme, language }: Dress): Promise<void> {
    await this.page.emulateMedia({ colorScheme: theme });
    await this.page.evaluate(`(${chooseElsewhere})(${JSON.stringify(language)})`);
    const isDressed = `document.documentElement.lang.startsWith(${JSON.stringify(language)})`;
    await until(async () => (await this.page.evaluate(isDressed)) === true && this.#isPainted(), {
      timeoutMs: settledMs,
      everyMs: 30,
    });
  }

  /** What axe says; of its rules only those about colours where the rest was looked at already. */
  async axe({ isColoursOnly = false }: { isColoursOnly?: boolean } = {}): Promise<string[]> {
    const { page } = this;
    if ((await page.evaluate(`typeof axe`)) !== "object") await page.evaluate(`${axeSource};undefined`);
    const options = {
      runOnly: isColoursOnly
        ? { type: "rule", values: ["color-contrast"] }
        : { type: "tag", values: rulesOfAxe },
      resultTypes: ["violations"],
      preload: false,
    };
    const violations: Violation[] = await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(
      ({ violations }) => violations.map(({ id, nodes }) => ({
        id,
        targets: nodes.slice(0, 3).map(({ target }) => target.join(" ")),
        summary: (nodes[0]?.failureSummary ?? "").split("\\n").slice(1, 2).join(" ").trim(),
      })),
    )`);
    return violations.map(({ id, targets, summary }) => `axe ${id}: ${targets.join(", ")} (${summary})`);
  }

  /** Heading, title, and nothing that runs out of the window at the side. */
  async form(): Promise<string[]> {
    const { h1, title, order } = await this.page.evaluate<{ h1: number; title: string; order: string }>(`({
      h1: document.querySelectorAll("h1").length,
      title: document.title,
      order: [...document.querySelectorAll("h1,h2,h3,h4")].map(({ tagName }) => tagName.slice(1)).join(""),
    })`);
    return [
      ...(h1 === 1 ? [] : [`${h1} headings h1 (${order})`]),
      ...(/^\S.* · Tijolo$/.test(title) ? [] : [`the title is ${JSON.stringify(title)}`]),
      ...(notFound.test(title) ? ["it is the page for addresses with nothing"] : []),
      ...(await this.overflow()),
    ];
  }

  async overflow(): Promise<string[]> {
    const wide = await this.page.evaluate<string[]>(`(() => {
      const { clientWidth, scrollWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const isOut = (element) => element.getBoundingClientRect().right > clientWidth + 1;
      const scrolls = (element) => element !== null && (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
      const out = [...document.body.querySelectorAll("*")].filter((element) => isOut(element) && !scrolls(element.parentElement));
      return [scrollWidth + " of " + clientWidth + " px wide", ...out.slice(-3).map((element) => element.tagName.toLowerCase() + "." + element.className)];
    })()`);
    return wide.length === 0 ? [] : [`scrolls to the side: ${wide.join(", ")}`];
  }

  /** What runs out of the window at widths between those of a phone and of a desk. */
  async overflowBetween(): Promise<string[]> {
    const before = this.page.viewportSize();
    const found: string[] = [];
    for (const width of between) {
      await this.page.setViewportSize({ width, height: 800 });
      await until(() => this.#isPainted());
      found.push(...(await this.overflow()));
    }
    if (before !== null) await this.page.setViewportSize(before);
    return found;
  }

  /** What does not fit at 400 % zoom, or leaves no room for the rest. */
  async formWhenZoomed(): Promise<string[]> {
    const before = this.page.viewportSize();
    await this.page.setViewportSize(least);
    await this.settle();
    const found = [...(await this.overflow()), ...(await this.#cover())];
    if (before !== null) await this.page.setViewportSize(before);
    return found.map((text) => `at 400 %: ${text}`);
  }

  async #cover(): Promise<string[]> {
    const covered: number = await this.page.evaluate(`[...document.body.querySelectorAll("*")]
      .filter((element) => ["fixed", "sticky"].includes(getComputedStyle(element).position))
      .map((element) => element.getBoundingClientRect())
      .filter(({ width }) => width > innerWidth / 2)
      .reduce((sum, { top, bottom }) => sum + Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)), 0) / innerHeight`);
    return covered <= mostCovered ? [] : [`${Math.round(covered * 100)} % of the window is covered`];
  }

  /** Secrets that stand where others may read them: the address, the title, the storage. */
  async leaks(secrets: readonly string[]): Promise<string[]> {
    const open: string = await this.page.evaluate(
      `JSON.stringify([location.href, document.title, { ...localStorage }, { ...sessionStorage }, document.cookie])`,
    );
    return secrets.filter((secret) => open.includes(secret)).map((secret) => `tells ${secret.slice(0, 8)}…`);
  }

  /** What the browser complained about since the last call. */
  newComplaints(expected = /$^/): string[] {
    const fresh = this.visitor.complaints.slice(this.#told);
    this.#told = this.visitor.complaints.length;
    return fresh.filter((text) => !expected.test(text));
  }
}

function isStream(request: Request): boolean {
  return request.headers()["accept"] === "text/event-stream" || request.resourceType() === "eventsource";
}
