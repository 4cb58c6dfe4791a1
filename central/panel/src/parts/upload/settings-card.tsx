/** The one card of a new project: what was detected, all of it editable, with what does not fit the plan at its field. */

import { ApiError } from "@tijolo/protocol/client";
import { languages, languageVersions, minimumMemoryMb } from "@tijolo/protocol/choices";
import { lengths } from "@tijolo/protocol/lengths";
import { megabytes } from "../../formats/formats.ts";
import { languageTexts } from "../../texts/languages.ts";
import { newProjectTexts } from "../../texts/new-project.ts";
import { useTexts, type Texts } from "../../texts/in-both.ts";
import { Field } from "../../ui/fields/field.tsx";
import { NumberInput } from "../../ui/fields/number-input.tsx";
import { Radios } from "../../ui/fields/radios.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import {
  relevantFields,
  type DraftField,
  type DraftProblem,
  type ProjectDraft,
  type Room,
} from "./project-draft.ts";
import styles from "./settings-card.module.css";
import type { Inspection } from "./worker/messages.ts";

type Words = Texts<(typeof newProjectTexts)["pt"]>;

interface SettingsCardProps {
  draft: ProjectDraft;
  onChange(change: Partial<ProjectDraft>): void;
  inspection: Inspection;
  room: Room | null;
  problems: readonly DraftProblem[];
  /** What the server refused. */
  error: Error | null;
  /** True while it is being sent: what was typed stays as it is. */
  isFixed: boolean;
}

export function SettingsCard(props: SettingsCardProps) {
  const { draft, onChange, inspection, room } = props;
  const texts = useTexts(newProjectTexts);
  const languageNames = useTexts(languageTexts);
  const shown = new Set(relevantFields(draft));
  const about = (field: DraftField, hint?: string) => ({
    hint: [hint, reasonOf(props, field, texts)].filter(Boolean).join(" ") || undefined,
    error: errorAt(props, field, texts),
  });
  const text = (
    field: "entry" | "command" | "installCommand" | "root" | "subdomain",
    label: string,
    hint: string,
  ) =>
    shown.has(field) && (
      <Field label={label} {...about(field, hint)}>
        <TextInput
          isMono
          value={draft[field]}
          maxLength={lengths.command.most}
          autoComplete="off"
          spellCheck={false}
          onValue={(value) => onChange({ [field]: value })}
        />
      </Field>
    );
  return (
    <TitledCard title={texts.settingsTitle} description={introOf(inspection, texts)}>
      <fieldset className={styles.fields} inert={props.isFixed}>
        <Field label={texts.name} {...about("name")}>
          <TextInput value={draft.name} autoComplete="off" onValue={(name) => onChange({ name })} />
        </Field>
        <TypeChoice {...props} />
        <div className={styles.pair}>
          <Field label={texts.language} {...about("language")}>
            <Select
              value={draft.language}
              options={[
                ...(draft.language === "" ? [{ value: "" as const, label: texts.chooseLanguage }] : []),
                ...languages.map((value) => ({ value, label: languageNames[value] })),
              ]}
              onValue={(language) => onChange({ language })}
            />
          </Field>
          {shown.has("version") && draft.language !== "" && (
            <Field label={texts.version} {...about("version")}>
              <Select
                value={draft.version}
                options={versionsOf(draft.language, draft.version)}
                onValue={(version) => onChange({ version })}
              />
            </Field>
          )}
        </div>
        {text("root", texts.root, texts.rootHint)}
        {text("entry", texts.entry, texts.entryHint)}
        {text("command", texts.command, texts.commandHint)}
        {text("installCommand", texts.installCommand, texts.installHint)}
        <div className={styles.pair}>
          <Field label={texts.memory} {...about("memoryMb", memoryHint(room, draft, texts))}>
            <NumberInput
              value={draft.memoryMb}
              unit="MB"
              step={64}
              min={64}
              placeholder={room === null ? "" : String(minimumMemoryMb(room.plan, draft))}
              onValue={(memoryMb) => onChange({ memoryMb })}
            />
          </Field>
          {shown.has("port") && (
            <Field label={texts.port} {...about("port", texts.portHint)}>
              <NumberInput value={draft.port} placeholder="8080" onValue={(port) => onChange({ port })} />
            </Field>
          )}
        </div>
        {text("subdomain", texts.subdomain, texts.subdomainHint)}
      </fieldset>
    </TitledCard>
  );
}

function TypeChoice(props: SettingsCardProps) {
  const { draft, onChange, room } = props;
  const texts = useTexts(newProjectTexts);
  if (draft.language === "static") return <ErrorLine text={errorAt(props, "type", texts)} />;
  return (
    <div className={styles.choice}>
      <Radios
        label={texts.type}
        isRow
        value={draft.type}
        options={[
          { value: "bot", label: texts.bot, hint: texts.botHint },
          {
            value: "site",
            label: texts.site,
            hint: texts.siteHint,
            ...(room !== null && room.plan.sites === 0 ? { why: texts.siteNotAllowed } : {}),
          },
        ]}
        onValue={(type) => onChange({ type })}
      />
      <ErrorLine text={errorAt(props, "type", texts)} />
    </div>
  );
}

function ErrorLine({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p role="alert" className={styles.error}>
      {text}
    </p>
  );
}

function introOf({ svcJson, proposal }: Inspection, texts: Words): string {
  if (svcJson !== null) return texts.fromSvcJson;
  return proposal === null ? texts.noProposal : texts.fromProposal;
}

function versionsOf(language: keyof typeof languageVersions, chosen: string) {
  const known = languageVersions[language];
  const all = known.includes(chosen) || chosen === "" ? known : [...known, chosen];
  return all.map((value) => ({ value, label: value }));
}

function memoryHint(room: Room | null, draft: ProjectDraft, texts: Words): string {
  if (room === null) return "";
  const { plan, account } = room;
  return texts.memoryLeft(
    megabytes(Math.max(0, account.memoryMb.free)),
    megabytes(minimumMemoryMb(plan, draft)),
  );
}

/** Why a field was proposed so, as long as it is as proposed. */
function reasonOf({ inspection, draft }: SettingsCardProps, field: DraftField, texts: Words): string {
  const proposed = inspection.proposal?.fields.find(({ name }) => name === field);
  if (proposed === undefined || proposed.value !== draft[field]) return "";
  const { code, file, name } = proposed.reason;
  return texts.reason(texts.reasons[code](file, name));
}

function errorAt(
  { problems, error }: SettingsCardProps,
  field: DraftField,
  texts: Words,
): string | undefined {
  if (error instanceof ApiError && fieldOf(error) === field) return error.message;
  const problem = problems.find((one) => one.field === field);
  return problem === undefined ? undefined : problemText(problem, texts);
}

/** The field that a refusal is about; some codes are about one without naming it. */
export function fieldOf({ code, extra }: ApiError): string | null {
  if (typeof extra["field"] === "string") return extra["field"];
  return fieldOfCode[code] ?? null;
}

const fieldOfCode: Record<string, DraftField> = {
  unsupported_language: "language",
  insufficient_memory: "memoryMb",
  invalid_subdomain: "subdomain",
  reserved_subdomain: "subdomain",
  subdomain_taken: "subdomain",
  site_not_allowed: "type",
  site_limit_reached: "type",
};

export function problemText(problem: DraftProblem, texts: Words): string {
  if (problem.code === "littleMemory") return texts.littleMemory(megabytes(problem.leastMb));
  if (problem.code === "noMemoryLeft") return texts.noMemoryLeft(megabytes(problem.freeMb));
  return texts[problem.code];
}
