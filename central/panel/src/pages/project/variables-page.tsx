/** The environment variables of a project: edited as rows, saved as one change, masked until one asks. */

import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { call, useRead } from "../../api/use-read.ts";
import { PlusIcon } from "../../design/icons/icons.tsx";
import { bytes } from "../../formats/formats.ts";
import { Failure } from "../../parts/failure.tsx";
import { FormFoot } from "../../parts/form-foot.tsx";
import { useLeaveGuard } from "../../parts/leave-guard.ts";
import { Page as PageHead } from "../../parts/page.tsx";
import { runProject } from "../../parts/project/run-project.ts";
import { Reading } from "../../parts/reading.tsx";
import { PasteDotenv } from "../../parts/variables/paste-dotenv.tsx";
import { VariableInputs } from "../../parts/variables/variable-inputs.tsx";
import { VariablesText } from "../../parts/variables/variables-text.tsx";
import * as rowsAsEdited from "../../parts/variables/variable-rows.ts";
import type { VariableRow, Variables } from "../../parts/variables/variable-rows.ts";
import { useTexts } from "../../texts/in-both.ts";
import { variablesTexts } from "../../texts/project/variables.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Meter } from "../../ui/marks/meter.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import styles from "./variables-page.module.css";

const { bytesOf, changeOf, differenceOf, isSame, newRow, problemOf, rebased, rowsOf, variablesOf } =
  rowsAsEdited;

export function Page() {
  const texts = useTexts(variablesTexts);
  const { projectId } = useParams({ from: "/app/projects/$projectId/variables" });
  const read = useRead("listVariables", { id: projectId });
  return (
    <PageHead title={texts.title} intro={texts.intro}>
      <Reading of={read} skeleton={<Skeleton count={4} height="3rem" label={texts.title} />}>
        {({ variables }) => <Editor key={projectId} projectId={projectId} first={variables} />}
      </Reading>
    </PageHead>
  );
}

/** `first`: as it was read; what is read later is shown where nothing was typed, and never overwrites it. */
function Editor({ projectId, first }: { projectId: string; first: Variables }) {
  const texts = useTexts(variablesTexts);
  const [base, setBase] = useState(first);
  const [rows, setRows] = useState<readonly VariableRow[]>(() => rowsOf(first));
  const [elsewhere, setElsewhere] = useState<Variables | null>(null);
  const [isText, setText] = useState(false);
  const [unread, setUnread] = useState<readonly number[]>([]);
  const [isSaved, setSaved] = useState<"no" | "now" | "later">("no");
  const [readError, setReadError] = useState<Error | null>(null);
  const save = useAction("changeVariables", { refreshes: ["listVariables"] });
  const limit = useRead("getService").data?.limits.variablesBytes ?? null;
  const difference = differenceOf(base, variablesOf(rows));
  const isDirty = !isSame(difference);
  useLeaveGuard(isDirty);
  const [read, setRead] = useState(first);
  if (read !== first) {
    setRead(first);
    if (!isDirty && !isText && !isSame(differenceOf(base, first))) {
      setBase(first);
      setRows(rowsOf(first));
    }
  }
  const edit = (next: readonly VariableRow[]) => {
    setRows(next);
    setSaved("no");
    save.clear();
  };
  /** Shows the rows: the text would still be that of before. */
  const show = (next: readonly VariableRow[]) => {
    edit(next);
    setText(false);
    setUnread([]);
  };
  const submit = async () => {
    setReadError(null);
    try {
      const { variables: now } = await call("listVariables", { id: projectId });
      if (!isSame(differenceOf(base, now))) return setElsewhere(now);
    } catch (cause) {
      return setReadError(cause instanceof Error ? cause : new Error(String(cause)));
    }
    const body = { variables: changeOf(base, variablesOf(rows)) };
    await save.run({ id: projectId, body }, ({ variables, isRestartRequired }) => {
      setBase(variables);
      setRows(rowsOf(variables));
      setSaved(isRestartRequired ? "later" : "now");
    });
  };
  const join = () => {
    if (elsewhere === null) return;
    show(rebased(rows, base, elsewhere));
    setBase(elsewhere);
    setElsewhere(null);
  };
  const undo = () => show(rowsOf(base));
  const error = save.error ?? readError;
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {elsewhere !== null && (
        <Banner
          tone="warn"
          role="alert"
          title={texts.changedElsewhere}
          actions={<Button onClick={join}>{texts.takeTheirs}</Button>}
        >
          {texts.changedElsewhereText(Object.values(differenceOf(base, elsewhere)).flat().join(", "))}
        </Banner>
      )}
      <Card>
        {isText && (
          <VariablesText
            rows={rows}
            onText={(next, lines) => {
              edit(next);
              setUnread(lines);
            }}
          />
        )}
        {!isText && rows.length === 0 && <Empty sentence={texts.none}>{texts.noneHint}</Empty>}
        {!isText && rows.length > 0 && <VariableInputs rows={rows} onRows={edit} />}
        <div className={styles.buttons}>
          {!isText && (
            <Button icon={<PlusIcon />} onClick={() => edit([...rows, newRow()])}>
              {texts.add}
            </Button>
          )}
          <Button
            onClick={() => (isText ? show(rows) : setText(true))}
            why={unread.length > 0 ? texts.unread(unread.join(", ")) : undefined}
          >
            {isText ? texts.asRows : texts.toText}
          </Button>
        </div>
      </Card>
      {!isText && <PasteDotenv rows={rows} onRows={edit} />}
      {limit !== null && (
        <Meter
          label={texts.sizeLabel}
          value={bytesOf(rows)}
          max={limit}
          text={texts.size(bytes(bytesOf(rows)), bytes(limit))}
          tone={bytesOf(rows) > limit ? "bad" : "brick"}
        />
      )}
      {isDirty && <Changes difference={difference} />}
      {error !== null && <Failure error={error} onRetry={() => void submit()} />}
      {isSaved !== "no" && (
        <Banner
          tone="ok"
          role="status"
          title={isSaved === "later" ? texts.saved : texts.savedNow}
          actions={
            isSaved === "later" && (
              <Button onClick={() => void runProject(projectId, "restart")}>{texts.restart}</Button>
            )
          }
        />
      )}
      <FormFoot isInSight={isDirty}>
        <Button
          type="submit"
          variant="primary"
          isBusy={save.isRunning}
          why={useWhyNot({ rows, unread, isDirty, limit })}
        >
          {texts.save}
        </Button>
        <Button onClick={undo} why={isDirty ? undefined : texts.nothing}>
          {texts.undo}
        </Button>
      </FormFoot>
    </form>
  );
}

interface Edited {
  rows: readonly VariableRow[];
  unread: readonly number[];
  isDirty: boolean;
  limit: number | null;
}

function useWhyNot({ rows, unread, isDirty, limit }: Edited): string | undefined {
  const texts = useTexts(variablesTexts);
  if (unread.length > 0) return texts.unread(unread.join(", "));
  if (rows.some((row) => problemOf(row, rows) !== null)) return texts.hasProblems;
  if (limit !== null && bytesOf(rows) > limit) return texts.tooMuch;
  return isDirty ? undefined : texts.nothing;
}

/** Names only: a value stands nowhere but in its field. */
function Changes({ difference }: { difference: rowsAsEdited.VariableDifference }) {
  const texts = useTexts(variablesTexts);
  const { added, changed, removed } = difference;
  return (
    <Banner tone="info" title={texts.willChange}>
      <ul className={styles.changes}>
        {added.length > 0 && <li>{texts.added(added.join(", "))}</li>}
        {changed.length > 0 && <li>{texts.changed(changed.join(", "))}</li>}
        {removed.length > 0 && <li>{texts.removed(removed.join(", "))}</li>}
      </ul>
    </Banner>
  );
}
