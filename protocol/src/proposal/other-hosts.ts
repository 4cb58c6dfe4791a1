/** Reads the configuration that a project has for another host: Square Cloud, Discloud, Heroku's Procfile. */

import type { Draft } from "./draft.ts";
import { parseKeyValues } from "./key-value-file.ts";
import { languageOfFile } from "./language-of-file.ts";
import type { TreeReader } from "./project-tree.ts";
import { versionFor } from "../project/wanted-version.ts";

/** Memory in MB below which no paid plan takes a project; the plan's own least holds then. */
const leastMemoryMb = { bot: 256, site: 512 };
const subdomainForm = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/;

export async function proposeFromOtherHost(draft: Draft, tree: TreeReader): Promise<void> {
  const square = await tree.firstText(["squarecloud.app", "squarecloud.config"]);
  if (square !== null) proposeFromValues(draft, tree, { ...square, keys: squareKeys });
  const discloud = await tree.firstText(["discloud.config"]);
  if (discloud !== null) proposeFromValues(draft, tree, { ...discloud, keys: discloudKeys });
  proposeFromProcfile(draft, await tree.text("Procfile"));
}

interface HostKeys {
  name: string;
  memory: string;
  subdomain: string;
}

const squareKeys: HostKeys = { name: "DISPLAY_NAME", memory: "MEMORY", subdomain: "SUBDOMAIN" };
/** For a site, Discloud's ID is its subdomain. */
const discloudKeys: HostKeys = { name: "NAME", memory: "RAM", subdomain: "ID" };

function proposeFromValues(
  draft: Draft,
  tree: TreeReader,
  { file, text, keys }: { file: string; text: string; keys: HostKeys },
): void {
  const values = parseKeyValues(text);
  const stated = (name: string) => ({ code: "stated", file, name }) as const;
  const type = siteOrBot(values, keys);
  draft.addName(values.get(keys.name), stated(keys.name));
  draft.addDescription(values.get("DESCRIPTION"), stated("DESCRIPTION"));
  if (type !== null) draft.add("type", type.value, stated(type.key));
  const main = values.get("MAIN")?.replace(/^\.\//, "");
  const language = main === undefined ? null : languageOfFile(main);
  if (language !== null) draft.add("language", language, stated("MAIN"));
  // Files are served by the service itself, whatever served them there.
  if (language !== "static") draft.add("command", values.get("START"), stated("START"));
  if (language === "static" && main !== undefined)
    draft.add("root", main.replace(/[^/]*$/, "").replace(/\/$/, ""), stated("MAIN"));
  else if (!draft.hasStart && main !== undefined && tree.has(main)) draft.add("entry", main, stated("MAIN"));
  draft.add("installCommand", values.get("BUILD"), stated("BUILD"));
  if (draft.language !== null)
    draft.add("version", versionFor(draft.language, values.get("VERSION") ?? ""), stated("VERSION"));
  const memoryMb = memoryOf(values.get(keys.memory));
  if (memoryMb >= leastMemoryMb[type?.value ?? "bot"]) draft.add("memoryMb", memoryMb, stated(keys.memory));
  const subdomain = values.get(keys.subdomain)?.toLowerCase() ?? "";
  if (type?.value === "site" && subdomainForm.test(subdomain))
    draft.add("subdomain", subdomain, stated(keys.subdomain));
}

function siteOrBot(
  values: ReadonlyMap<string, string>,
  keys: HostKeys,
): { value: "bot" | "site"; key: string } | null {
  const type = values.get("TYPE")?.toLowerCase();
  if (type === "bot" || type === "site") return { value: type, key: "TYPE" };
  if (keys === squareKeys && values.has("SUBDOMAIN")) return { value: "site", key: "SUBDOMAIN" };
  return null;
}

/** Returns MB of `512`, `512MB` or `1GB`; 0 for anything else. */
function memoryOf(text = ""): number {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)\s*(mb|gb|m|g)?$/i.exec(text) ?? [];
  return amount === undefined ? 0 : Math.round(Number(amount) * (/^g/i.test(unit) ? 1024 : 1));
}

function proposeFromProcfile(draft: Draft, text: string): void {
  const processes = new Map(
    [...text.matchAll(/^\s*([\w-]+)\s*:\s*(\S.*?)\s*$/gm)].map(([, name = "", command = ""]) => [
      name,
      command,
    ]),
  );
  const name = ["web", "worker", "bot"].find((each) => processes.has(each)) ?? [...processes.keys()][0];
  if (name === undefined || draft.hasStart) return;
  const reason = { code: "stated", file: "Procfile", name } as const;
  draft.add("type", name === "web" ? "site" : "bot", reason);
  draft.add("command", processes.get(name), reason);
}
