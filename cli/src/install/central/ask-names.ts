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
 * nothing more where the person wants none.
 */
export async function askNames(environment: Environment, questions: NameQuestions): Promise<Environment> {
  const { ask, say, texts } = questions;
  if (environment["TIJOLO_SITE_DOMAIN"] !== undefined) return environment;
  const domain = await askName(questions, texts.askSiteDomain, () => null);
  if (domain === null) return environment;
  const isBelow = (name: string) => `.${name}`.endsWith(`.${domain}`);
  const panel =
    environment["TIJOLO_PANEL_URL"] === undefined
      ? await askName(questions, texts.askPanelName, (name) => (isBelow(name) ? texts.panelBelowSites : null))
      : null;
  const wants =
    environment["TIJOLO_ACME_DIRECTORIES"] === undefined &&
    !/^n/i.test((await ask(texts.askLetsEncrypt)) ?? "n");
  say(texts.recordsNeeded([...(panel === null ? [] : [panel]), domain, `*.${domain}`].join(", ")));
  return {
    ...environment,
    TIJOLO_SITE_DOMAIN: domain,
    ...(panel !== null && { TIJOLO_PANEL_URL: `https://${panel}` }),
    ...(wants && { TIJOLO_ACME_DIRECTORIES: "letsencrypt" }),
  };
}

/** Asks until it is a name that can be had, in ASCII (RFC 5891); null for an empty line. */
async function askName(
  { ask, say, texts }: NameQuestions,
  question: string,
  fault: (name: string) => string | null,
): Promise<string | null> {
  for (;;) {
    const text = ((await ask(question)) ?? "").trim();
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
