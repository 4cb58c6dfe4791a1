/** The master keys by their names: rotated here, and variables that no key opens any more are forgotten here. */

import type { OperationAnswer } from "@tijolo/protocol/client";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { RefreshIcon } from "../../design/icons/icons.tsx";
import { integer } from "../../formats/formats.ts";
import { ChangeDialog } from "../../parts/cluster/dialogs.tsx";
import { useWhyNot } from "../../parts/cluster/role.ts";
import { fieldError } from "../../parts/entry/field-error.ts";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { clusterSecretsTexts } from "../../texts/cluster/secrets.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";

type Keys = OperationAnswer<"getMasterKeys">;
type Rotation = OperationAnswer<"rotateMasterKey">;

export function Page() {
  const texts = useTexts(clusterSecretsTexts);
  const whyNot = useWhyNot();
  const read = useRead("getMasterKeys");
  const rotate = useAction("rotateMasterKey", { refreshes: ["getMasterKeys"] });
  const [isRotating, setRotating] = useState(false);
  const [rotation, setRotation] = useState<Rotation | null>(null);
  const confirm = () =>
    void rotate.run({}, (answer) => {
      setRotation(answer);
      setRotating(false);
    });
  const button = (
    <Button icon={<RefreshIcon />} why={whyNot("owner")} onClick={() => setRotating(true)}>
      {texts.rotate}
    </Button>
  );
  return (
    <PageHead title={texts.title} intro={texts.intro} actions={button}>
      {rotation !== null && <Rotated rotation={rotation} />}
      <Reading of={read} skeleton={<Skeleton height="10rem" label={texts.title} />}>
        {(keys) => <MasterKeys keys={keys} />}
      </Reading>
      <Forgetting />
      {isRotating && (
        <ChangeDialog
          title={texts.rotate}
          description={texts.rotateText}
          confirmWord={texts.rotate}
          action={rotate}
          onConfirm={confirm}
          onClose={() => setRotating(false)}
        />
      )}
    </PageHead>
  );
}

function MasterKeys({ keys: { keys, currentKeyId, source } }: { keys: Keys }) {
  const texts = useTexts(clusterSecretsTexts);
  const hasLost = keys.some(({ isKnown, documents }) => !isKnown && documents > 0);
  return (
    <>
      {currentKeyId === null && <Banner tone="bad">{texts.noKey}</Banner>}
      {hasLost && <Banner tone="bad">{texts.hasLost}</Banner>}
      <TitledCard title={texts.keys} description={texts.sources[source]} isFlush>
        <Table
          caption={texts.keys}
          rows={keys}
          rowKey={({ id }) => id}
          columns={[
            { key: "id", header: texts.key, isRowHeader: true, cell: ({ id }) => <code>{id}</code> },
            {
              key: "state",
              header: texts.state,
              cell: ({ id, isKnown }) =>
                id === currentKeyId ? (
                  <Badge tone="ok">{texts.current}</Badge>
                ) : (
                  <Badge tone={isKnown ? "neutral" : "bad"}>{isKnown ? texts.known : texts.lost}</Badge>
                ),
            },
            {
              key: "documents",
              header: texts.documents,
              align: "end",
              cell: ({ documents }) => integer(documents),
            },
          ]}
        />
      </TitledCard>
    </>
  );
}

function Rotated({ rotation: { resealed, unreadable, removable } }: { rotation: Rotation }) {
  const texts = useTexts(clusterSecretsTexts);
  return (
    <Banner role="status" tone={unreadable > 0 ? "warn" : "ok"} title={texts.rotated(integer(resealed))}>
      {unreadable > 0 && <p>{texts.unreadable(integer(unreadable))}</p>}
      {removable.length > 0 && (
        <>
          <p>{texts.removable}</p>
          <ul>
            {removable.map((id) => (
              <li key={id}>
                <code>{id}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </Banner>
  );
}

function Forgetting() {
  const texts = useTexts(clusterSecretsTexts);
  const whyNot = useWhyNot();
  const forget = useAction("forgetVariables", { refreshes: ["getMasterKeys"] });
  const [isAsking, setAsking] = useState(false);
  const [projectId, setProjectId] = useState("");
  const confirm = () =>
    void forget.run({ projectId: projectId.trim() }, ({ project }) => {
      tell({ tone: "ok", text: texts.forgotten(project.name) });
      setAsking(false);
      setProjectId("");
    });
  return (
    <TitledCard title={texts.forget} description={texts.forgetIntro} isDangerous>
      <Button variant="warning" why={whyNot()} onClick={() => setAsking(true)}>
        {texts.forget}
      </Button>
      {isAsking && (
        <ChangeDialog
          isDangerous
          title={texts.forgetTitle}
          description={texts.forgetText}
          confirmWord={texts.forget}
          action={forget}
          fields={["projectId"]}
          why={projectId.trim() === "" ? texts.noProject : undefined}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          <Field label={texts.project} hint={texts.projectHint} {...fieldError(forget.error, "projectId")}>
            <TextInput isMono value={projectId} onValue={setProjectId} maxLength={26} autoComplete="off" />
          </Field>
        </ChangeDialog>
      )}
    </TitledCard>
  );
}
