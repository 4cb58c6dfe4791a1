/** What the accounts were told by those who run the cluster, and the way to tell them more. */

import type { Announcement } from "@tijolo/protocol/client";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { PlusIcon } from "../../design/icons/icons.tsx";
import { dateTime, integer } from "../../formats/formats.ts";
import { ChangeDialog } from "../../parts/cluster/dialogs.tsx";
import { useWhyNot } from "../../parts/cluster/role.ts";
import { Windowed } from "../../parts/cluster/windowed.tsx";
import { fieldError } from "../../parts/entry/field-error.ts";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { clusterAnnouncementsTexts } from "../../texts/cluster/announcements.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { TextArea } from "../../ui/fields/text-area.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";

export function Page() {
  const texts = useTexts(clusterAnnouncementsTexts);
  const whyNot = useWhyNot();
  const read = useRead("listAnnouncements");
  const [isWriting, setWriting] = useState(false);
  const announce = (
    <Button variant="primary" icon={<PlusIcon />} why={whyNot()} onClick={() => setWriting(true)}>
      {texts.announce}
    </Button>
  );
  return (
    <PageHead title={texts.title} intro={texts.intro} actions={announce}>
      <Reading of={read} skeleton={<Skeleton count={4} height="2.5rem" label={texts.title} />}>
        {({ announcements }) =>
          announcements.length === 0 ? (
            <Empty sentence={texts.none} />
          ) : (
            <Windowed rows={announcements}>
              {(rows) => (
                <Card isFlush>
                  <Announcements announcements={rows} />
                </Card>
              )}
            </Windowed>
          )
        }
      </Reading>
      {isWriting && <NewAnnouncement onClose={() => setWriting(false)} />}
    </PageHead>
  );
}

function Announcements({ announcements }: { announcements: readonly Announcement[] }) {
  const texts = useTexts(clusterAnnouncementsTexts);
  return (
    <Table
      caption={texts.title}
      rows={announcements}
      rowKey={({ id }) => id}
      columns={[
        { key: "what", header: texts.what, isRowHeader: true, cell: ({ text }) => text },
        {
          key: "about",
          header: texts.about,
          cell: ({ host }) => (host === null ? texts.everybody : texts.host(host)),
        },
        {
          key: "state",
          header: texts.state,
          align: "end",
          cell: ({ accounts, isComplete }) =>
            isComplete ? integer(accounts) : texts.onItsWay(integer(accounts)),
        },
        { key: "who", header: texts.who, cell: ({ by }) => by },
        { key: "when", header: texts.when, cell: ({ at }) => <time dateTime={at}>{dateTime(at)}</time> },
      ]}
    />
  );
}

function NewAnnouncement({ onClose }: { onClose: () => void }) {
  const texts = useTexts(clusterAnnouncementsTexts);
  const announce = useAction("announce", { refreshes: ["listAnnouncements"] });
  const hosts = useRead("listHosts").data?.hosts ?? [];
  const [text, setText] = useState("");
  const [host, setHost] = useState("");
  const confirm = () =>
    void announce.run({ body: { text, ...(host === "" ? {} : { host }) } }, () => {
      tell({ tone: "ok", text: texts.sent });
      onClose();
    });
  return (
    <ChangeDialog
      title={texts.announce}
      description={texts.announceText}
      confirmWord={texts.announce}
      action={announce}
      fields={["text"]}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Field label={texts.text} hint={texts.textHint} {...fieldError(announce.error, "text")}>
        <TextArea value={text} onValue={setText} maxLength={1000} rows={4} />
      </Field>
      <Field label={texts.about}>
        <Select
          value={host}
          options={[
            { value: "", label: texts.everybody },
            ...hosts.map(({ id, name }) => ({ value: id, label: texts.host(name) })),
          ]}
          onValue={setHost}
        />
      </Field>
    </ChangeDialog>
  );
}
