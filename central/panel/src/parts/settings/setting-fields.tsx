/** The inputs of a project's settings, each with what it is for and what the server refused of it. */

import { defaultVersions, languageVersions, languages, minimumMemoryMb } from "@tijolo/protocol/choices";
import { ApiError } from "@tijolo/protocol/client";
import { lengths } from "@tijolo/protocol/lengths";
import type { ReactNode } from "react";
import { useRead } from "../../api/use-read.ts";
import { megabytes } from "../../formats/formats.ts";
import { useLive } from "../../live/live-store.ts";
import { useTexts } from "../../texts/in-both.ts";
import { languageTexts } from "../../texts/languages.ts";
import { settingsTexts } from "../../texts/project/settings.ts";
import { Checkbox } from "../../ui/fields/checkbox.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { NumberInput } from "../../ui/fields/number-input.tsx";
import { Radios } from "../../ui/fields/radios.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { TextArea } from "../../ui/fields/text-area.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import styles from "./settings.module.css";
import type { SettingName, SettingsDraft } from "./settings-draft.ts";

export interface SettingFieldsProps {
  draft: SettingsDraft;
  /** What the server refused last. */
  error: Error | null;
  onDraft: (draft: SettingsDraft) => void;
}

export function AboutFields({ draft, error, onDraft }: SettingFieldsProps) {
  const texts = useTexts(settingsTexts);
  return (
    <div className={styles.fields}>
      <TextField name="name" most={lengths.projectName.most} {...{ draft, error, onDraft }} />
      <Field label={texts.names.description} {...refusal(error, "description")}>
        <TextArea
          rows={2}
          maxLength={lengths.projectDescription.most}
          value={draft.description}
          onValue={(description) => onDraft({ ...draft, description })}
        />
      </Field>
    </div>
  );
}

export function RunFields(props: SettingFieldsProps) {
  const { draft, error, onDraft } = props;
  const texts = useTexts(settingsTexts);
  const languageNames = useTexts(languageTexts);
  const isStatic = draft.language === "static";
  const mayBeSite = useMayBeSite(draft);
  return (
    <div className={styles.fields}>
      <Radios
        label={texts.names.type}
        value={draft.type}
        options={[
          { value: "bot", label: texts.types.bot },
          {
            value: "site",
            label: texts.types.site,
            ...(mayBeSite ? {} : { why: texts.noSiteLeft }),
          },
        ]}
        onValue={(type) => onDraft({ ...draft, type })}
      />
      {error !== null && fieldOf(error) === "type" && (
        <p role="alert" className={styles.error}>
          {error.message}
        </p>
      )}
      <div className={styles.pair}>
        <Field label={texts.names.language} {...refusal(error, "language")}>
          <Select
            value={draft.language}
            options={languages.map((value) => ({ value, label: languageNames[value] }))}
            onValue={(value) => onDraft(withLanguage(draft, value))}
          />
        </Field>
        {!isStatic && (
          <Field label={texts.names.version} {...refusal(error, "version")}>
            <Select
              value={draft.version}
              options={versionsOf(draft)}
              onValue={(version) => onDraft({ ...draft, version })}
            />
          </Field>
        )}
      </div>
      <MemoryField {...props} />
      {isStatic ? (
        <>
          <TextField name="root" hint={texts.hints.root} isMono {...props} />
          <Checkbox
            label={texts.names.spa}
            hint={texts.hints.spa}
            checked={draft.spa}
            onValue={(spa) => onDraft({ ...draft, spa })}
          />
        </>
      ) : (
        <>
          <TextField name="entry" hint={texts.hints.entry} isMono {...props} />
          <TextField name="command" hint={texts.hints.command} isMono {...props} />
          <TextField name="systemPackages" hint={texts.hints.systemPackages} isMono {...props} />
        </>
      )}
      <TextField name="installCommand" hint={texts.hints.installCommand} isMono {...props} />
    </div>
  );
}

/** The versions of the language, and the one that it has, which may be no longer among them. */
function versionsOf({ language, version }: SettingsDraft): { value: string; label: string }[] {
  const known = languages.find((name) => name === language);
  const all = new Set([...(known === undefined ? [] : languageVersions[known]), version]);
  return [...all].map((value) => ({ value, label: value }));
}

/** False for a bot of an account that has no site left. */
function useMayBeSite({ type }: SettingsDraft): boolean {
  const account = useRead("getAccount").data?.account;
  return type === "site" || account === undefined || account.sites.free > 0;
}

/** Another language has other versions: the recommended one is taken until one chooses. */
function withLanguage(draft: SettingsDraft, value: string): SettingsDraft {
  const language = languages.find((name) => name === value);
  if (language === undefined) return draft;
  const versions = languageVersions[language];
  const version = versions.includes(draft.version) ? draft.version : defaultVersions[language];
  return { ...draft, language, version };
}

export function SiteFields(props: SettingFieldsProps) {
  const { draft, error, onDraft } = props;
  const texts = useTexts(settingsTexts);
  return (
    <div className={styles.fields}>
      <TextField
        name="subdomain"
        hint={texts.hints.subdomain}
        most={lengths.subdomain.most}
        isMono
        {...props}
      />
      {draft.language !== "static" && (
        <Field label={texts.names.port} hint={texts.hints.port} {...refusal(error, "port")}>
          <NumberInput
            min={1}
            max={65_535}
            value={draft.port}
            onValue={(port) => onDraft({ ...draft, port })}
          />
        </Field>
      )}
    </div>
  );
}

function MemoryField({ draft, error, onDraft }: SettingFieldsProps) {
  const texts = useTexts(settingsTexts);
  const account = useLive((state) => state.account);
  const least = account === null ? 64 : minimumMemoryMb({ name: account.plan }, draft);
  const hint = account === null ? undefined : texts.hints.memory(megabytes(account.memoryMb.free));
  return (
    <Field label={texts.names.memoryMb} hint={hint} {...refusal(error, "memoryMb")}>
      <NumberInput
        unit="MB"
        min={least}
        step={64}
        value={draft.memoryMb}
        onValue={(memoryMb) => onDraft({ ...draft, memoryMb })}
      />
    </Field>
  );
}

type TextName = {
  [Name in SettingName]: SettingsDraft[Name] extends string ? Name : never;
}[SettingName];

interface TextFieldProps extends SettingFieldsProps {
  name: TextName;
  hint?: ReactNode;
  most?: number;
  isMono?: boolean;
}

function TextField({ name, hint, most = lengths.command.most, isMono = false, ...rest }: TextFieldProps) {
  const texts = useTexts(settingsTexts);
  const { draft, error, onDraft } = rest;
  return (
    <Field label={texts.names[name]} hint={hint} {...refusal(error, name)}>
      <TextInput
        isMono={isMono}
        maxLength={most}
        autoComplete="off"
        value={draft[name]}
        onValue={(value) => onDraft({ ...draft, [name]: value })}
      />
    </Field>
  );
}

/** Codes that are about one field, where the server does not name it. */
const fieldOfCode: Record<string, SettingName> = {
  subdomain_taken: "subdomain",
  invalid_subdomain: "subdomain",
  reserved_subdomain: "subdomain",
  unsupported_language: "version",
  insufficient_memory: "memoryMb",
  site_not_allowed: "type",
  site_limit_reached: "type",
};

/** The field that a refusal is about; null when it is about none of this form. */
export function fieldOf(error: Error | null): string | null {
  if (!(error instanceof ApiError)) return null;
  const { field } = error.extra;
  return typeof field === "string" ? (field.split(".")[0] ?? null) : (fieldOfCode[error.code] ?? null);
}

function refusal(error: Error | null, name: SettingName): { error: string } | object {
  return error !== null && fieldOf(error) === name ? { error: error.message } : {};
}
