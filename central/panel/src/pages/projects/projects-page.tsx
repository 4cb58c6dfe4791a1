/** All projects of the account, as they are now; those that failed come first. */

import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useMemo, useState } from "react";
import { PlusIcon } from "../../design/icons/icons.tsx";
import { megabytes } from "../../formats/formats.ts";
import { useLive } from "../../live/live-store.ts";
import { Page as PageHead } from "../../parts/page.tsx";
import { matchingProjects } from "../../parts/project/project-search.ts";
import { useTexts } from "../../texts/in-both.ts";
import { projectTexts } from "../../texts/project/project.ts";
import { projectsTexts } from "../../texts/projects.ts";
import { Button, buttonClass } from "../../ui/actions/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Meter } from "../../ui/marks/meter.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { ProjectList } from "./project-list.tsx";
import styles from "./projects-page.module.css";
import { SelectionBar } from "./selection-bar.tsx";

export function Page() {
  const texts = useTexts(projectsTexts);
  const projects = useLive((state) => state.projects);
  const isComplete = useLive((state) => state.isComplete);
  const search = useSearch({ from: "/app/" });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const shownSearch = useDeferredValue(search);
  const shown = useMemo(() => matchingProjects(projects.values(), shownSearch), [projects, shownSearch]);
  const create = (
    <Link to="/new" className={buttonClass({ variant: "primary" })}>
      <PlusIcon /> {texts.newProject}
    </Link>
  );
  if (!isComplete)
    return (
      <PageHead title={texts.title}>
        <Skeleton count={6} height="3.5rem" label={texts.title} />
      </PageHead>
    );
  if (projects.size === 0)
    return (
      <PageHead title={texts.title}>
        <Empty sentence={texts.none} action={create}>
          {texts.noneHint}
        </Empty>
      </PageHead>
    );
  const chosen = shown.filter(({ project }) => selected.has(project.id));
  return (
    <PageHead title={texts.title} actions={create}>
      <PlanUsage />
      <Filters />
      {chosen.length > 0 && (
        <SelectionBar
          chosen={chosen}
          onAll={() => setSelected(new Set(shown.map(({ project }) => project.id)))}
          onNone={() => setSelected(new Set())}
        />
      )}
      {shown.length === 0 ? (
        <Empty picture="nothing" sentence={texts.notFound} action={<ClearFilter />} />
      ) : (
        <ProjectList projects={shown} selected={selected} onSelected={setSelected} />
      )}
    </PageHead>
  );
}

function Filters() {
  const texts = useTexts(projectsTexts);
  const { statuses } = useTexts(projectTexts);
  const search = useSearch({ from: "/app/" });
  const navigate = useNavigate();
  const change = (part: { q?: string; status?: string }) =>
    void navigate({ to: "/", search: { ...search, ...part }, replace: true, resetScroll: false });
  return (
    <search className={styles.filters}>
      <Field label={texts.search} isLabelHidden>
        <TextInput
          type="search"
          placeholder={texts.search}
          data-page-search
          value={search.q ?? ""}
          onValue={(q) => change({ q })}
        />
      </Field>
      <Field label={texts.status} isLabelHidden>
        <Select
          value={search.status ?? ""}
          onValue={(status) => change({ status })}
          options={[
            { value: "", label: texts.all },
            ...Object.entries(statuses).map(([value, label]) => ({ value, label })),
          ]}
        />
      </Field>
    </search>
  );
}

function ClearFilter() {
  const texts = useTexts(projectsTexts);
  const navigate = useNavigate();
  return <Button onClick={() => void navigate({ to: "/", search: {} })}>{texts.clear}</Button>;
}

/** How much of the plan is taken, told where new projects are made. */
function PlanUsage() {
  const texts = useTexts(projectsTexts);
  const account = useLive((state) => state.account);
  if (account === null) return null;
  const { memoryMb, projects, sites } = account;
  return (
    <div className={styles.usage}>
      <Meter
        label={texts.memoryOfPlan}
        value={memoryMb.used}
        max={memoryMb.limit}
        text={texts.of(megabytes(memoryMb.used), megabytes(memoryMb.limit))}
      />
      <Meter
        label={texts.title}
        value={projects.used}
        max={projects.limit}
        text={texts.of(String(projects.used), String(projects.limit))}
      />
      <Meter
        label={texts.sitesOfPlan}
        value={sites.used}
        max={sites.limit}
        text={texts.of(String(sites.used), String(sites.limit))}
      />
    </div>
  );
}
