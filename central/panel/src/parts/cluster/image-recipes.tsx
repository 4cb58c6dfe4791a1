/** Where the image of each language version comes from, and an image of the operator's own in its place. */

import type { OperationAnswer } from "@tijolo/protocol/client";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { clusterImagesTexts } from "../../texts/cluster/images.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";
import { fieldError } from "../entry/field-error.ts";
import { ChangeDialog } from "./dialogs.tsx";
import { imageVersions, versionName, type Version } from "./image-versions.ts";
import { useWhyNot } from "./role.ts";

interface Row extends Version {
  /** The operator's image; null while Tijolo's own is used. */
  reference: string | null;
  origins: string;
}

export function ImageRecipes({ images }: { images: OperationAnswer<"listImages"> }) {
  const texts = useTexts(clusterImagesTexts);
  const whyNot = useWhyNot()();
  const [set, setSet] = useState<Row | null>(null);
  const [unset, setUnset] = useState<Row | null>(null);
  return (
    <TitledCard title={texts.versions} description={texts.versionsIntro} isFlush>
      <Table
        caption={texts.versions}
        rows={rowsOf(images)}
        rowKey={versionName}
        columns={[
          { key: "version", header: texts.version, isRowHeader: true, cell: versionName },
          {
            key: "from",
            header: texts.from,
            cell: ({ reference, origins }) =>
              reference === null ? (
                origins
              ) : (
                <>
                  <code>{reference}</code> <Badge tone="brick">{texts.yours}</Badge>
                </>
              ),
          },
          {
            key: "actions",
            header: texts.set,
            isHeaderHidden: true,
            align: "end",
            cell: (row) => {
              const isOwn = row.reference !== null;
              const word = isOwn ? texts.unset : texts.set;
              return (
                <Button
                  size="small"
                  why={whyNot}
                  aria-label={`${word}: ${versionName(row)}`}
                  onClick={() => (isOwn ? setUnset(row) : setSet(row))}
                >
                  {word}
                </Button>
              );
            },
          },
        ]}
      />
      {set !== null && <SetImage row={set} onClose={() => setSet(null)} />}
      {unset !== null && <UnsetImage row={unset} onClose={() => setUnset(null)} />}
    </TitledCard>
  );
}

function rowsOf({ hosts, overrides }: OperationAnswer<"listImages">): Row[] {
  const recipes = hosts.find(({ recipes: known }) => known.length > 0)?.recipes ?? [];
  return imageVersions.map((version) => {
    const isOfIt = (other: Version) => versionName(other) === versionName(version);
    const sources = recipes.find(isOfIt)?.sources ?? [];
    return {
      ...version,
      reference: overrides.find(isOfIt)?.reference ?? null,
      origins: sources.map(({ origin }) => origin).join(" · "),
    };
  });
}

function SetImage({ row, onClose }: { row: Row; onClose: () => void }) {
  const texts = useTexts(clusterImagesTexts);
  const save = useAction("setImage", { refreshes: ["listImages"] });
  const [reference, setReference] = useState("");
  const { language, version } = row;
  const name = versionName(row);
  const confirm = () =>
    void save.run({ language, version, body: { reference: reference.trim() } }, () => {
      tell({ tone: "ok", text: texts.saved(name) });
      onClose();
    });
  return (
    <ChangeDialog
      title={texts.setTitle(name)}
      description={texts.setText}
      confirmWord={texts.set}
      action={save}
      fields={["reference"]}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Field label={texts.reference} hint={texts.referenceHint} {...fieldError(save.error, "reference")}>
        <TextInput isMono value={reference} onValue={setReference} maxLength={400} autoComplete="off" />
      </Field>
    </ChangeDialog>
  );
}

function UnsetImage({ row, onClose }: { row: Row; onClose: () => void }) {
  const texts = useTexts(clusterImagesTexts);
  const unset = useAction("unsetImage", { refreshes: ["listImages"] });
  const { language, version } = row;
  const name = versionName(row);
  const confirm = () =>
    void unset.run({ language, version }, () => {
      tell({ tone: "ok", text: texts.saved(name) });
      onClose();
    });
  return (
    <ChangeDialog
      title={texts.unsetTitle(name)}
      description={texts.setText}
      confirmWord={texts.unset}
      action={unset}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
