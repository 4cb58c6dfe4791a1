/** Defines `svc.json`, the upload's form fields and PATCH: one set of rules (spec: PATCH rule 1). */

import { z } from "zod";
import type { Words } from "../values/words.ts";
import { component, described } from "../contract/described.ts";
import { inputReasons } from "../contract/input-reasons.ts";
import { onFailureChoices } from "./on-failure.ts";
import { inListOrder, systemPackage } from "./system-package.ts";
import { lengths } from "../values/lengths.ts";
import { visibleName } from "../values/visible-name.ts";

const isWhole = (value: string) => value.isWellFormed();
const text = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, inputReasons.controlCharacter.pt)
    .refine(isWhole, inputReasons.halfCharacter.pt);
/**
 * A path relative to the project root that cannot leave it. A dot of a pattern would not pass the line
 * separators U+2028 and U+2029.
 */
const relativePath = text(lengths.path.most)
  .regex(/^(?!\/)/, inputReasons.absolutePath.pt)
  .regex(/^(?!([\s\S]*\/)?\.\.(\/|$))/, inputReasons.pathOutside.pt)
  .regex(/^[^\\]*$/, inputReasons.backslash.pt);

/** Entry that does not begin with a hyphen, as it would be read as an option. */
const entryText = relativePath.regex(/^(?!-)/, inputReasons.leadingHyphen.pt);
/** The file that is started. */
export const entryFile = entryText.min(1);

export const projectName = visibleName(lengths.projectName.most);
/** May have several lines. */
export const projectDescription = z
  .string()
  .max(lengths.projectDescription.most)
  .regex(/^(?:[^\p{Cc}]|[\t\n\r])*$/u, inputReasons.controlCharacter.pt)
  .refine(isWhole, inputReasons.halfCharacter.pt);

/**
 * Fields that a person sets, all optional; unknown ones are an error. Rules with a code of their own, or that
 * depend on plan or language, are checked later: here any text is a language, a version or a subdomain, and
 * any whole number is a memory.
 */
const settingFields = {
  name: projectName,
  description: projectDescription,
  type: z.enum(["bot", "site"]),
  language: z.string(),
  version: z.string(),
  /** Entry file; empty: none, also where a form overrides svc.json with it. */
  entry: entryText,
  command: text(lengths.command.most),
  installCommand: text(lengths.command.most).nullable(),
  root: relativePath,
  spa: z.boolean(),
  memoryMb: z.int(),
  subdomain: z.string(),
  port: z.int().min(1).max(65_535),
  systemPackages: z.array(systemPackage).transform(inListOrder),
  onFailure: z.enum(onFailureChoices),
};

export const settingWords = {
  name: { pt: "Nome do projeto, até 40 caracteres.", en: "The project's name, up to 40 characters." },
  description: {
    pt: "Descrição que o painel mostra, até 200 caracteres.",
    en: "The description that the panel shows, up to 200 characters.",
  },
  type: {
    pt: "`bot`: processo em segundo plano; `site`: app ou API que escuta numa porta e ganha um endereço.",
    en: "`bot`: a process in the background; `site`: an app or API that listens on a port and gets an address.",
  },
  language: { pt: "Linguagem em que o projeto roda.", en: "The language that the project runs on." },
  version: {
    pt: "Versão da linguagem; sem ela, a recomendada.",
    en: "The version of the language; without it, the recommended one.",
  },
  entry: {
    pt: "Arquivo principal, relativo à pasta do projeto. Dispensa `command`. Vazio: nenhum; em `go` e `dotnet`, compila a raiz.",
    en: "The main file, relative to the project's folder. It makes `command` unnecessary. Empty: none; for `go` and `dotnet`, the root is compiled.",
  },
  command: {
    pt: "Comando de início, por exemplo `npm start`. Vazio: roda o arquivo principal.",
    en: "The start command, for example `npm start`. Empty: the main file is run.",
  },
  installCommand: {
    pt: 'Comando de instalação; null instala do jeito da linguagem, `""` não instala nada. Em `static`, o que faz o build, por exemplo `npm ci && npm run build`.',
    en: 'The install command; null installs in the way of the language, `""` installs nothing. For `static`, what builds the site, for example `npm ci && npm run build`.',
  },
  root: {
    pt: 'Só `static`: pasta servida, relativa à pasta do projeto; `""` é ela mesma. Se não está no .zip e o package.json tem um script build, o site é construído aqui.',
    en: 'Only `static`: the folder that is served, relative to the project\'s folder; `""` is that folder itself. If it is not in the .zip and package.json has a build script, the site is built here.',
  },
  spa: {
    pt: "Só `static`: true para um app de uma página só; um endereço sem arquivo recebe o index.html.",
    en: "Only `static`: true for an app of a single page; an address without a file receives index.html.",
  },
  memoryMb: {
    pt: "Memória reservada em MB; é também o teto do processo.",
    en: "Reserved memory in MB; it is also the limit of the process.",
  },
  subdomain: {
    pt: "Só sites: nome no domínio dos sites, de 3 a 32 caracteres; letras minúsculas, números e hífen, sem hífen nas pontas.",
    en: "Sites only: the name under the domain of the sites, 3 to 32 characters; lower-case letters, digits and hyphens, without a hyphen at either end.",
  },
  port: {
    pt: "Só sites: porta em que o app escuta; chega também na variável `PORT`.",
    en: "Sites only: the port that the app listens on; the app also gets it in the variable `PORT`.",
  },
  systemPackages: {
    pt: "Pacotes de sistema que o projeto usa.",
    en: "System packages that the project uses.",
  },
  onFailure: {
    pt: "O que acontece quando um código novo não sobe: `return` (o padrão) volta à versão anterior; `keep` segue com o novo. Vale na hora.",
    en: "What happens when new code does not come up: `return` (the default) goes back to the version before it; `keep` goes on with the new code. It takes effect at once.",
  },
} as const satisfies Record<keyof typeof settingFields, Words>;

const fields = z.strictObject(settingFields).partial();

/**
 * Fields that have a default, to which null resets them. The language has none; name and subdomain are chosen
 * once, when the project is made.
 */
const resettableFields = {
  description: settingFields.description.nullable(),
  type: settingFields.type.nullable(),
  version: settingFields.version.nullable(),
  entry: settingFields.entry.nullable(),
  command: settingFields.command.nullable(),
  installCommand: settingFields.installCommand,
  root: settingFields.root.nullable(),
  memoryMb: settingFields.memoryMb.nullable(),
  port: settingFields.port.nullable(),
  systemPackages: settingFields.systemPackages.nullable(),
  onFailure: settingFields.onFailure.nullable(),
  spa: settingFields.spa.nullable(),
};

const changeFields = fields.extend(resettableFields).partial();

/** The contents of `svc.json`. */
export const svcJson = described(changeFields.extend({ $schema: z.string().optional() }), {
  $schema: {
    pt: "Endereço deste esquema, para o editor ajudar.",
    en: "The address of this schema, so that the editor can help.",
  },
  ...settingWords,
});

/**
 * Fields of PATCH. The specification's table says the type of each: of its fields only `installCommand` may
 * be null, and null for another one is a wrong format. A field that the table does not have may be reset.
 */
const patchFields = fields
  .extend({ onFailure: resettableFields.onFailure, spa: resettableFields.spa })
  .partial();

/** Body of PATCH: at least one field. */
export const projectPatch = component(
  "ProjectPatch",
  patchFields.refine((patch) => Object.keys(patch).length > 0, inputReasons.noFields.pt),
  {
    text: {
      pt: "Pelo menos um campo. `name`, `description` e `onFailure` valem na hora; os outros, no próximo início. Os valores seguem as regras do svc.json e do plano.",
      en: "At least one field. `name`, `description` and `onFailure` take effect at once; the others at the next start. The values follow the rules of svc.json and of the plan.",
    },
    minProperties: 1,
    fields: settingWords,
  },
);

/** Settings as a person gave them, from `svc.json`, the form or PATCH. */
export type ProjectConfig = z.infer<typeof fields>;

/** A change of settings: null resets a field to its default. */
export type ConfigChange = z.infer<typeof changeFields>;

/** Returns the change without what it resets: the fields that it gives a value. */
export function configOfChange(change: ConfigChange): ProjectConfig {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value != null));
}

export type ConfigField = keyof ProjectConfig;

const resettable: readonly string[] = Object.keys(resettableFields);

/** True for a field that has a default, to which a project can return. */
export function isResettable(field: string): boolean {
  return resettable.includes(field);
}

const numberText = z
  .string()
  .regex(/^-?\d{1,15}$/, inputReasons.badWholeNumber.pt)
  .transform(Number);

/** Reads a text of the form; an empty one stands for null, where the field has no empty value of its own. */
function emptyAsNull<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((text) => (text === "" ? null : text), schema.nullable()).optional();
}

/**
 * The upload's form fields: text, from which numbers and lists are read; then the rules of `svc.json` apply.
 */
export const uploadForm = fields.extend({
  type: emptyAsNull(settingFields.type),
  version: emptyAsNull(settingFields.version),
  memoryMb: emptyAsNull(numberText.pipe(settingFields.memoryMb)),
  port: emptyAsNull(numberText.pipe(settingFields.port)),
  onFailure: emptyAsNull(settingFields.onFailure),
  spa: emptyAsNull(
    z
      .enum(["true", "false"])
      .transform((value) => value === "true")
      .pipe(settingFields.spa),
  ),
  systemPackages: z
    .string()
    .max(1000)
    .transform((list) =>
      list
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    )
    .pipe(settingFields.systemPackages)
    .optional(),
  start: z.enum(["true", "false"]).optional(),
});

/** What `start` means depends on the upload: its operation says it. */
export const uploadFormWords = {
  ...settingWords,
  systemPackages: {
    pt: "Pacotes de sistema, separados por vírgula.",
    en: "System packages, separated by commas.",
  },
};

export type UploadForm = z.infer<typeof uploadForm>;
