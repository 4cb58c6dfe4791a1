/** Who may run the cluster, and with which role. */

import type { OperatorSummary } from "@tijolo/protocol/client";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { KeyIcon, PlusIcon } from "../../design/icons/icons.tsx";
import { dateTime, day } from "../../formats/formats.ts";
import { ChangeDialog } from "../../parts/cluster/dialogs.tsx";
import { NewOperatorPerson, NewOperatorToken } from "../../parts/cluster/new-operator.tsx";
import { roles, useWhyNot } from "../../parts/cluster/role.ts";
import { Windowed } from "../../parts/cluster/windowed.tsx";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { clusterOperatorsTexts } from "../../texts/cluster/operators.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Card, TitledCard } from "../../ui/layout/card.tsx";
import { DescriptionList } from "../../ui/layout/description-list.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";

export function Page() {
  const texts = useTexts(clusterOperatorsTexts);
  const words = useTexts(clusterTexts);
  const whyNot = useWhyNot();
  const read = useRead("listOperators");
  const [open, setOpen] = useState<"person" | "token" | null>(null);
  const close = () => setOpen(null);
  const actions = (
    <>
      <Button icon={<KeyIcon />} why={whyNot()} onClick={() => setOpen("token")}>
        {texts.addToken}
      </Button>
      <Button variant="primary" icon={<PlusIcon />} why={whyNot()} onClick={() => setOpen("person")}>
        {texts.addPerson}
      </Button>
    </>
  );
  return (
    <PageHead title={texts.title} intro={texts.intro} actions={actions}>
      <Reading of={read} skeleton={<Skeleton count={3} height="2.5rem" label={texts.title} />}>
        {({ operators }) => (
          <Windowed rows={operators}>
            {(rows) => (
              <Card isFlush>
                <Operators operators={rows} />
              </Card>
            )}
          </Windowed>
        )}
      </Reading>
      <TitledCard title={texts.rolesTitle}>
        <DescriptionList
          items={roles.map((role) => ({ term: words.roles[role], value: words.roleHints[role] }))}
        />
      </TitledCard>
      {open === "person" && <NewOperatorPerson onClose={close} />}
      {open === "token" && <NewOperatorToken onClose={close} />}
    </PageHead>
  );
}

function Operators({ operators }: { operators: readonly OperatorSummary[] }) {
  const texts = useTexts(clusterOperatorsTexts);
  const words = useTexts(clusterTexts);
  const whyNot = useWhyNot();
  const [revoked, setRevoked] = useState<OperatorSummary | null>(null);
  return (
    <>
      <Table
        caption={texts.title}
        rows={operators}
        rowKey={({ id }) => id}
        columns={[
          { key: "name", header: texts.name, isRowHeader: true, cell: ({ name }) => name },
          { key: "role", header: texts.role, cell: ({ role }) => words.roles[role] },
          { key: "with", header: texts.entersWith, cell: (operator) => <EntersWith operator={operator} /> },
          {
            key: "expires",
            header: texts.expires,
            cell: ({ expiresAt }) => <Expiry expiresAt={expiresAt} />,
          },
          { key: "since", header: texts.since, cell: ({ createdAt }) => day(createdAt) },
          {
            key: "revoke",
            header: texts.revoke,
            isHeaderHidden: true,
            align: "end",
            cell: (operator) => (
              <Button
                size="small"
                why={whyNot(operator.role === "owner" ? "owner" : "operator")}
                aria-label={`${texts.revoke}: ${operator.name}`}
                onClick={() => setRevoked(operator)}
              >
                {texts.revoke}
              </Button>
            ),
          },
        ]}
      />
      {revoked !== null && <Revocation operator={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}

function EntersWith({ operator: { kind, email, prefix, hasTwoFactor } }: { operator: OperatorSummary }) {
  const texts = useTexts(clusterOperatorsTexts);
  if (kind === "token") return texts.withToken(prefix);
  return (
    <>
      {email} {hasTwoFactor === false && <Badge tone="warn">{texts.withoutTwoFactor}</Badge>}
    </>
  );
}

function Expiry({ expiresAt }: Pick<OperatorSummary, "expiresAt">) {
  const texts = useTexts(clusterOperatorsTexts);
  if (expiresAt === null) return texts.never;
  const isOver = Date.parse(expiresAt) <= Date.now();
  return (
    <>
      {dateTime(expiresAt)} {isOver && <Badge tone="bad">{texts.expired}</Badge>}
    </>
  );
}

function Revocation({ operator, onClose }: { operator: OperatorSummary; onClose: () => void }) {
  const texts = useTexts(clusterOperatorsTexts);
  const revoke = useAction("revokeOperator", { refreshes: ["listOperators"] });
  const isToken = operator.kind === "token";
  const confirm = () =>
    void revoke.run({ operatorId: operator.id }, () => {
      tell({ tone: "ok", text: texts.revoked(operator.name) });
      onClose();
    });
  return (
    <ChangeDialog
      isDangerous
      title={isToken ? texts.revokeToken(operator.name) : texts.revokePerson(operator.name)}
      description={isToken ? texts.revokeTokenText : texts.revokePersonText}
      confirmWord={texts.revoke}
      action={revoke}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
