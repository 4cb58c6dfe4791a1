/** Asks, at the first installation, for the names that a cluster has on the internet. */

import { domainToASCII } from "node:url";
import type { Messages } from "../../messages.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface NameQuestions {
  /** Resolves with the line that the person typed; null at the end of the input. */
  ask: (question: string) => Promise<string | null>;
  /** Shows a sentence to the person. */
  say: (sentence: string) => void;
  texts: Messages["install"];
}

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const longestName = 253;

/**
 * Returns the environment with what the person answered. Nothing is asked where the environment has a domain, and
 * nothing more where the person wants none. Throws at the end of the input.
 */
export async function askNames(environment: Environment, questions: NameQuestions): Promise<Environment> {
  const { say, texts } = questions;
  if (environment["TIJOLO_SITE_DOMAIN"] !== undefined) return environment;
  const given = URL.parse(environment["TIJOLO_PANEL_URL"] ?? "")?.hostname ?? null;
  const fault = (panel: string | null, domain: string) =>
    panel !== null && `.${panel}`.endsWith(`.${domain}`) ? texts.panelBelowSites : null;
  const domain = await askName(questions, texts.askSiteDomain, (name) => fault(given, name));
  if (domain === null) return environment;
  const answered =
    given === null ? await askName(questions, texts.askPanelName, (name) => fault(name, domain)) : null;
  const wantsLetsEncrypt =
    environment["TIJOLO_ACME_DIRECTORIES"] === undefined && (await askYes(questions, texts.askLetsEncrypt));
  const names = [given ?? answered, domain, `*.${domain}`].filter((name) => name !== null);
  say(texts.recordsNeeded(names.join(", ")));
  return {
    ...environment,
    TIJOLO_SITE_DOMAIN: domain,
    ...(answered !== null && { TIJOLO_PANEL_URL: `https://${answered}` }),
    ...(wantsLetsEncrypt && { TIJOLO_ACME_DIRECTORIES: "letsencrypt" }),
  };
}

/** Asks until it is a name that can be had, in ASCII (RFC 5891); null for an empty line. */
async function askName(
  questions: NameQuestions,
  question: string,
  fault: (name: string) => string | null,
): Promise<string | null> {
  const { say, texts } = questions;
  for (;;) {
    const text = await askLine(questions, question);
    if (text === "") return null;
    const name = domainToASCII(text.replace(/\.$/, ""));
    const labels = name.split(".");
    const isName =
      labels.length > 1 && labels.every((each) => label.test(each)) && !/^\d+$/.test(labels.at(-1) ?? "");
    const wrong = isName && name.length <= longestName ? fault(name) : texts.noName(text);
    if (wrong === null) return name;
    say(wrong);
  }
}

/** Asks until it is yes, as an empty line is, or no. */
async function askYes(questions: NameQuestions, question: string): Promise<boolean> {
  for (;;) {
    const text = await askLine(questions, question);
    if (/^(?:s|sim|y|yes)?$/i.test(text)) return true;
    if (/^n/i.test(text)) return false;
  }
}

async function askLine({ ask, texts }: NameQuestions, question: string): Promise<string> {
  const line = await ask(question);
  if (line === null) throw new Error(texts.nothingDone);
  return line.trim();
}
