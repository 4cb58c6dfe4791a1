/** Which lines to show: a text searched for by the server, and what filters the lines that are here. */

import { useEffect, useRef, useState } from "react";
import { dateTime } from "../../formats/formats.ts";
import { spans, type LogSearch, type Span } from "../../live/log/log-search.ts";
import { useTexts } from "../../texts/in-both.ts";
import { logsTexts } from "../../texts/project/logs.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import styles from "./logs-page.module.css";

/** Milliseconds after the last key until the server is asked. */
const searchPauseMs = 400;

export type ChangeSearch = (part: { [Name in keyof LogSearch]?: LogSearch[Name] | undefined }) => void;

interface LogFiltersProps {
  search: LogSearch;
  /** Where the log is opened; null at its end. */
  moment: string | null;
  versions: readonly number[];
  /** True where the visits are to be had, too. */
  hasAccess: boolean;
  change: ChangeSearch;
  /** Leads back to the newest lines. */
  onNow: () => void;
}

export function LogFilters({ search, moment, versions, hasAccess, change, onNow }: LogFiltersProps) {
  const texts = useTexts(logsTexts);
  const { until } = search;
  return (
    <search className={styles.filters}>
      <SearchText q={search.q ?? ""} change={change} />
      <Choice
        label={texts.section}
        value={search.section}
        options={{
          install: texts.install,
          app: texts.app,
          ...(hasAccess ? { access: texts.access } : {}),
        }}
        onValue={(section) => change({ section })}
      />
      <Choice
        label={texts.stream}
        value={search.stream}
        options={{ stdout: texts.stdout, stderr: texts.stderr, system: texts.system }}
        onValue={(stream) => change({ stream })}
      />
      <Choice
        label={texts.version}
        value={search.version === undefined ? undefined : String(search.version)}
        options={Object.fromEntries(versions.map((number) => [`${number}`, texts.versionNumber(number)]))}
        onValue={(version) => change({ version: version === undefined ? undefined : Number(version) })}
      />
      <Choice
        label={texts.span}
        value={search.since}
        options={Object.fromEntries(Object.keys(spans).map((span) => [span, texts.spans[span as Span]]))}
        onValue={(since) => change({ since })}
      />
      {(moment !== null || until !== undefined) && (
        <div className={styles.since}>
          {until === undefined ? texts.openedAt(dateTime(moment ?? "")) : texts.upTo(dateTime(until))}
          <Button size="small" onClick={onNow}>
            {texts.toNow}
          </Button>
        </div>
      )}
    </search>
  );
}

/** The search as it is typed; the address follows after a pause, and an address that changes leads the field. */
function SearchText({ q, change }: { q: string; change: ChangeSearch }) {
  const texts = useTexts(logsTexts);
  const [typed, setTyped] = useState(q);
  const sent = useRef(q);
  useEffect(() => {
    if (q === sent.current) return;
    sent.current = q;
    setTyped(q);
  }, [q]);
  useEffect(() => {
    if (typed === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed;
      change({ q: typed === "" ? undefined : typed });
    }, searchPauseMs);
    return () => clearTimeout(timer);
  }, [typed, change]);
  return (
    <Field label={texts.search} isLabelHidden>
      <TextInput
        type="search"
        placeholder={texts.search}
        maxLength={200}
        data-page-search
        value={typed}
        onValue={setTyped}
      />
    </Field>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: Record<string, string>;
  onValue: (value: string | undefined) => void;
}

function Choice({ label, value, options, onValue }: ChoiceProps) {
  const texts = useTexts(logsTexts);
  return (
    <Field label={label} isLabelHidden>
      <Select
        value={value ?? ""}
        onValue={(chosen) => onValue(chosen === "" ? undefined : chosen)}
        options={[
          { value: "", label: `${label}: ${texts.all}` },
          ...Object.entries(options).map(([name, word]) => ({ value: name, label: word })),
        ]}
      />
    </Field>
  );
}
