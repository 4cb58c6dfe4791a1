/** The help on one code: an error of the API, an exit code, or the reason why a project is not running. */

import { Link, useParams } from "@tanstack/react-router";
import { errors } from "virtual:errors";
import { NotFound } from "../../parts/not-found.tsx";
import { Page as PageHead } from "../../parts/page.tsx";
import { usePreferences } from "../../preferences/preferences.ts";
import { exitTexts } from "../../texts/project/exits.ts";
import { helpTexts, projectErrorTexts } from "../../texts/help.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Card } from "../../ui/layout/card.tsx";
import styles from "./help-page.module.css";

export function Page() {
  const texts = useTexts(helpTexts);
  const { topic } = useParams({ from: "/app/help/$topic" });
  const explanation = useExplanation(topic);
  if (explanation.length === 0) return <NotFound />;
  return (
    <PageHead title={topic.replace(/^exit-/, "")} actions={<Link to="/help">{texts.allTopics}</Link>}>
      <Card className={styles.topic}>
        {explanation.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </Card>
    </PageHead>
  );
}

function useExplanation(topic: string): string[] {
  const texts = useTexts(helpTexts);
  const exits: Record<string, string> = useTexts(exitTexts);
  const projectErrors: Record<string, string> = useTexts(projectErrorTexts);
  const { language } = usePreferences();
  const exit = exits[topic.replace(/^exit-/, "")];
  if (topic.startsWith("exit-")) return [exit ?? texts.exitOther];
  const error = Object.hasOwn(errors, topic) ? errors[topic] : undefined;
  return [
    projectErrors[topic],
    error?.[language],
    error && texts.status(error.status),
    error && (error.mayRetry ? texts.mayRetry : texts.mayNotRetry),
  ].filter((sentence) => sentence !== undefined);
}
