/** Collects the fields of a proposal: the first source that says something of a field decides it. */

import { projectDescription, projectName, svcJson, type ProjectConfig } from "../project/project-config.ts";
import { entryOfCommand } from "../project/start-command.ts";
import { isLanguage, type Language } from "../nouns/language.ts";

/**
 * Reasons for which a field is proposed:
 * - `stated`: `file` has it under `name`;
 * - `file`: `file` is there;
 * - `dependency`: `file` names the package `name`;
 * - `script`: the script `name` of `file` starts it;
 * - `listens`: the code in `file` listens on a port;
 * - `usual`: it is the usual way to start `name`;
 * - `built`: the build of `name` writes there;
 * - `unseen`: nothing here listens on a port.
 */
export const proposalReasonCodes = [
  "stated",
  "file",
  "dependency",
  "script",
  "listens",
  "usual",
  "built",
  "unseen",
] as const;

export interface ProposalReason {
  code: (typeof proposalReasonCodes)[number];
  file: string;
  name: string;
}

/** Fields that a proposal may have. */
export type ProposedName = Exclude<keyof ProjectConfig, "systemPackages">;

export interface ProposedField {
  name: ProposedName;
  value: NonNullable<ProjectConfig[ProposedName]>;
  reason: ProposalReason;
}

/** Fields in the order in which they are shown and written. */
const order: readonly ProposedName[] = [
  "name",
  "description",
  "type",
  "language",
  "version",
  "entry",
  "command",
  "installCommand",
  "root",
  "memoryMb",
  "subdomain",
  "port",
];

export class Draft {
  readonly #fields = new Map<ProposedName, ProposedField>();

  get language(): Language | null {
    const value = this.#fields.get("language")?.value;
    return typeof value === "string" && isLanguage(value) ? value : null;
  }

  get type(): unknown {
    return this.#fields.get("type")?.value;
  }

  /** True once it is known how the project is started. */
  get hasStart(): boolean {
    return this.#fields.has("entry") || this.#fields.has("command");
  }

  /** File that the project is started from, where one is known. */
  get entry(): string | null {
    const { entry, command } = this.config;
    return entry ?? (this.language === null ? null : entryOfCommand(this.language, command ?? ""));
  }

  /** Adds a field unless it has one already, or the value breaks the rules of svc.json. */
  add(
    name: ProposedName,
    value: ProposedField["value"] | null | undefined,
    reason: Omit<ProposalReason, "name"> & { name?: string },
  ): void {
    if (value === null || value === undefined || value === "" || this.#fields.has(name)) return;
    if (!svcJson.shape[name].safeParse(value).success) return;
    this.#fields.set(name, { name, value, reason: { name: "", ...reason } });
  }

  remove(name: ProposedName): void {
    this.#fields.delete(name);
  }

  get fields(): ProposedField[] {
    return order.flatMap((name) => this.#fields.get(name) ?? []);
  }

  get config(): ProjectConfig {
    return Object.fromEntries(this.fields.map(({ name, value }) => [name, value]));
  }

  /** Adds a name that people gave, cut to what a project's name may have. */
  addName(text: string | undefined, reason: Parameters<Draft["add"]>[2]): void {
    const name = projectName.safeParse((text ?? "").trim().slice(0, 40).trim());
    if (name.success) this.add("name", name.data, reason);
  }

  addDescription(text: string | undefined, reason: Parameters<Draft["add"]>[2]): void {
    const description = projectDescription.safeParse((text ?? "").trim().slice(0, 200).trim());
    if (description.success) this.add("description", description.data, reason);
  }
}
