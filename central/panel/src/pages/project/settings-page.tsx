/** The settings of a project: only what changed is sent, and it is said when each takes effect. */

import { useNavigate, useParams } from "@tanstack/react-router";
import type { LiveProject } from "@tijolo/protocol/live";
import { lazy, useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { useLiveProject } from "../../live/live-store.ts";
import { Failure } from "../../parts/failure.tsx";
import { FormFoot } from "../../parts/form-foot.tsx";
import { useLeaveGuard } from "../../parts/leave-guard.ts";
import { Lazily } from "../../parts/lazily.tsx";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { runProject } from "../../parts/project/run-project.ts";
import { AboutFields, fieldOf, RunFields, SiteFields } from "../../parts/settings/setting-fields.tsx";
import { SitePages } from "../../parts/settings/site-pages.tsx";
import { VisitSettings } from "../../parts/settings/visit-settings.tsx";
import { changedFields, draftOf, followed, patchOf } from "../../parts/settings/settings-draft.ts";
import { useTexts } from "../../texts/in-both.ts";
import { settingsTexts } from "../../texts/project/settings.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";
import styles from "./settings-page.module.css";

const ConfirmDialog = lazy(async () => ({
  default: (await import("../../ui/overlays/confirm-dialog.tsx")).ConfirmDialog,
}));

type Project = LiveProject["project"];

export function Page() {
  const texts = useTexts(settingsTexts);
  const { projectId } = useParams({ from: "/app/projects/$projectId/settings" });
  const project = useLiveProject(projectId)?.project;
  if (project === undefined) return null;
  return (
    <PageHead title={texts.title}>
      <SettingsForm key={project.id} project={project} />
      {project.type === "site" && <VisitSettings project={project} />}
      {project.type === "site" && <SitePages projectId={project.id} />}
      <AfterFailure projectId={project.id} />
      <Danger project={project} />
    </PageHead>
  );
}

/**
 * Holds what is typed beside what the project was when it was typed: a field that nobody touched follows the
 * project while the form is open, and what was typed is never overwritten.
 */
function useDraft(project: Project) {
  const [base, setBase] = useState(() => draftOf(project));
  const [draft, setDraft] = useState(base);
  const [elsewhere, setElsewhere] = useState<readonly (keyof typeof base)[]>([]);
  const now = draftOf(project);
  const moved = changedFields(base, now);
  if (moved.length > 0) {
    const own = new Set(changedFields(base, draft));
    setElsewhere(moved.filter((name) => own.has(name) && draft[name] !== now[name]));
    setDraft(followed(draft, base, now));
    setBase(now);
  }
  return { base, draft, setDraft, elsewhere, setElsewhere };
}

function SettingsForm({ project: live }: { project: Project }) {
  const texts = useTexts(settingsTexts);
  // What a save answered counts until the live stream has told as much: it may be reconnecting.
  const [answered, setAnswered] = useState(live);
  const project = answered.updatedAt > live.updatedAt ? answered : live;
  const { base, draft, setDraft, elsewhere, setElsewhere } = useDraft(project);
  const [saved, setSaved] = useState<"no" | "now" | "later">("no");
  const save = useAction("updateProject");
  const isDirty = changedFields(base, draft).length > 0;
  useLeaveGuard(isDirty);
  const edit = (next: typeof draft) => {
    setDraft(next);
    setSaved("no");
    save.clear();
  };
  const submit = () =>
    save.run({ id: project.id, body: patchOf(base, draft) }, ({ project: after, isRestartRequired }) => {
      setAnswered(after);
      setElsewhere([]);
      setSaved(isRestartRequired ? "later" : "now");
    });
  const fields = { draft, error: save.error, onDraft: edit };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isDirty) void submit();
      }}
    >
      {elsewhere.length > 0 && (
        <Banner
          tone="warn"
          role="status"
          title={texts.changedElsewhere(elsewhere.map((name) => texts.names[name]).join(", "))}
        />
      )}
      <TitledCard title={texts.about} description={texts.aboutHint} isSplit>
        <AboutFields {...fields} />
      </TitledCard>
      <TitledCard title={texts.run} description={texts.runHint} isSplit>
        <RunFields {...fields} />
      </TitledCard>
      {draft.type === "site" && (
        <TitledCard title={texts.site} description={texts.runHint} isSplit>
          <SiteFields {...fields} />
        </TitledCard>
      )}
      {save.error !== null && fieldOf(save.error) === null && <Failure error={save.error} />}
      {saved !== "no" && !isDirty && (
        <Banner
          tone="ok"
          role="status"
          title={saved === "later" ? texts.saved : texts.savedNow}
          actions={
            saved === "later" && (
              <Button onClick={() => void runProject(project.id, "restart")}>{texts.restart}</Button>
            )
          }
        />
      )}
      <FormFoot isInSight={isDirty}>
        <Button
          type="submit"
          variant="primary"
          isBusy={save.isRunning}
          why={isDirty ? undefined : texts.nothing}
        >
          {texts.save}
        </Button>
        <Button onClick={() => edit(base)} why={isDirty ? undefined : texts.nothing}>
          {texts.undo}
        </Button>
      </FormFoot>
    </form>
  );
}

/** Takes effect at once, so it is a switch beside the form. */
function AfterFailure({ projectId }: { projectId: string }) {
  const texts = useTexts(settingsTexts);
  const read = useRead("getProject", { id: projectId });
  const save = useAction("updateProject", { refreshes: ["getProject"] });
  const [wanted, setWanted] = useState<boolean | null>(null);
  const choose = async (returns: boolean) => {
    setWanted(returns);
    const body = { onFailure: returns ? "return" : "keep" } as const;
    if (!(await save.run({ id: projectId, body }))) setWanted(null);
  };
  return (
    <TitledCard title={texts.newCode} description={texts.aboutHint} isSplit>
      <Reading of={read} skeleton={<Skeleton height="3rem" />}>
        {({ onFailure }) => (
          <Switch
            label={texts.returns}
            hint={texts.returnsHint}
            checked={wanted ?? onFailure !== "keep"}
            onValue={(returns) => void choose(returns)}
          />
        )}
      </Reading>
      {save.error !== null && <Failure error={save.error} />}
    </TitledCard>
  );
}

function Danger({ project }: { project: Project }) {
  const texts = useTexts(settingsTexts);
  const [isAsking, setAsking] = useState(false);
  return (
    <TitledCard title={texts.danger} description={texts.dangerHint} isSplit isDangerous>
      <Button variant="warning" onClick={() => setAsking(true)}>
        {texts.delete}
      </Button>
      {isAsking && (
        <Lazily onMissing={() => setAsking(false)}>
          <Deletion project={project} onClose={() => setAsking(false)} />
        </Lazily>
      )}
    </TitledCard>
  );
}

function Deletion({ project, onClose }: { project: Project; onClose: () => void }) {
  const texts = useTexts(settingsTexts);
  const navigate = useNavigate();
  const remove = useAction("deleteProject");
  const { id, name } = project;
  const confirm = () =>
    remove.run({ id }, () => {
      tell({ tone: "ok", text: texts.deleted(name) });
      void navigate({ to: "/" });
    });
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title={texts.deleteTitle(name)}
      description={texts.deleteText}
      confirmWord={texts.delete}
      cancelWord={texts.cancel}
      closeWord={texts.close}
      typed={{ name, label: texts.typeName(name), why: texts.typeNameWhy }}
      isBusy={remove.isRunning}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {remove.error !== null && <Failure error={remove.error} />}
    </ConfirmDialog>
  );
}
