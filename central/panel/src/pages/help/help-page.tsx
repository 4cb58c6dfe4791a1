/** First steps, and the list of everything that has a page of help. */

import { Link } from "@tanstack/react-router";
import { errors } from "virtual:errors";
import { Page as PageHead } from "../../parts/page.tsx";
import { usePreferences } from "../../preferences/preferences.ts";
import { exitTexts } from "../../texts/project/exits.ts";
import { helpTexts, projectErrorTexts } from "../../texts/help.ts";
import { useTexts } from "../../texts/in-both.ts";
import { LinkButton } from "../../ui/actions/link-button.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import styles from "./help-page.module.css";

export function Page() {
  const texts = useTexts(helpTexts);
  const { language } = usePreferences();
  const errorsShown = Object.entries(errors).map(([code, error]) => ({ code, text: error[language] }));
  return (
    <PageHead
      title={texts.title}
      intro={texts.intro}
      actions={<LinkButton href="/api/docs">{texts.apiDocs}</LinkButton>}
    >
      <TitledCard title={texts.firstSteps}>
        <ol className={styles.steps}>
          {texts.steps.map(({ title, text }) => (
            <li key={title}>
              <strong>{title}</strong>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </TitledCard>
      <TitledCard title={texts.projectErrors}>
        <Codes rows={rowsOf(useTexts(projectErrorTexts))} />
      </TitledCard>
      <TitledCard title={texts.exitCodes}>
        <Codes rows={rowsOf(useTexts(exitTexts))} prefix="exit-" />
        <p className={styles.more}>{texts.exitOther}</p>
      </TitledCard>
      <TitledCard title={texts.errorCodes}>
        <Codes rows={errorsShown} />
      </TitledCard>
    </PageHead>
  );
}

interface CodeRow {
  code: string;
  text: string;
}

function rowsOf(texts: Record<string, string>): CodeRow[] {
  return Object.entries(texts).map(([code, text]) => ({ code, text }));
}

function Codes({ rows, prefix = "" }: { rows: CodeRow[]; prefix?: string }) {
  return (
    <dl className={styles.codes}>
      {rows.map(({ code, text }) => (
        <div key={code} className={styles.code}>
          <dt>
            <Link to="/help/$topic" params={{ topic: prefix + code }} preload={false}>
              <code>{code}</code>
            </Link>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
