/** Reads what a machine needs to join the cluster of a central elsewhere, as a host or as a gateway. */

import { readFile } from "node:fs/promises";
import { isLoopbackUrl } from "../client/server-url.ts";
import type { Messages } from "../messages.ts";

type InstallTexts = Messages["install"];

export interface JoiningRequest {
  centralUrl: string;
  /** File with central's authority; null for a central on the loopback of this machine, without TLS. */
  authorityFile: string | null;
  tokenFile: string | null;
  /** Central's set of Debian packages for this machine's system; null: they come by the machine's own apt. */
  packagesFile: string | null;
  /**
   * Network of the addresses of all projects, which central's script names; missing where it is this machine's
   * central, or where the line was typed by hand.
   */
  clusterNetwork?: string | undefined;
  /** Further settings of the first installation. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Asks for the token, which is not shown. */
  askToken: () => Promise<string>;
  /** Asks whether to go on, once the plan is shown. */
  confirm: (plan: string) => Promise<boolean>;
}

/** Throws unless central is reached over TLS, or on this machine. */
export function assertAddress(
  { centralUrl, authorityFile }: Pick<JoiningRequest, "centralUrl" | "authorityFile">,
  refusal: string,
): void {
  const url = URL.parse(centralUrl);
  if (url?.protocol === "https:" && authorityFile !== null) return;
  if (url?.protocol === "http:" && isLoopbackUrl(centralUrl) && authorityFile === null) return;
  throw new Error(refusal);
}

/** Reads central's authority, in PEM; null for a central of this machine without TLS. */
export async function readAuthority(
  { authorityFile }: Pick<JoiningRequest, "authorityFile">,
  texts: InstallTexts,
): Promise<string | null> {
  return authorityFile === null ? null : readGiven("--authority", authorityFile, texts);
}

/** Reads or asks for the single-use token, which begins with `prefix`. */
export async function readToken(
  { tokenFile, askToken }: Pick<JoiningRequest, "tokenFile" | "askToken">,
  prefix: "tjj_" | "tjg_",
  texts: InstallTexts,
): Promise<string> {
  const text = tokenFile === null ? await askToken() : await readGiven("--token-file", tokenFile, texts);
  const token = text.trim();
  if (token.startsWith(prefix) && /^[A-Za-z0-9_-]{24,104}$/.test(token)) return token;
  throw new Error(texts.noToken(prefix, prefix === "tjj_" ? "host" : "gateway"));
}

function readGiven(option: string, file: string, texts: InstallTexts): Promise<string> {
  return readFile(file, "utf8").catch((cause: Error) => {
    throw new Error(texts.noFile(option, cause.message), { cause });
  });
}
