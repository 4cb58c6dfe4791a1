/** The own domains of a site: added here, with the DNS records that each needs beside those that were found. */

import { useParams } from "@tanstack/react-router";
import type { OperationAnswer } from "@tijolo/protocol/client";
import { lazy, Suspense, useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { PlusIcon } from "../../design/icons/icons.tsx";
import { ago, integer } from "../../formats/formats.ts";
import { useLive, useLiveProject } from "../../live/live-store.ts";
import { Failure } from "../../parts/failure.tsx";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { domainsTexts } from "../../texts/project/domains.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { Card, TitledCard } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Badge, type BadgeTone } from "../../ui/marks/badge.tsx";
import { Meter } from "../../ui/marks/meter.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";
import { DomainRecords } from "./domain-records.tsx";
import styles from "./domains-page.module.css";

const ConfirmDialog = lazy(async () => ({
  default: (await import("../../ui/overlays/confirm-dialog.tsx")).ConfirmDialog,
}));

export type Domain = OperationAnswer<"listDomains">["domains"][number];

const tones: Record<Domain["status"], BadgeTone> = { pending: "warn", active: "ok", failed: "bad" };

export function Page() {
  const texts = useTexts(domainsTexts);
  const { projectId } = useParams({ from: "/app/projects/$projectId/domains" });
  const isBot = useLiveProject(projectId)?.project.type === "bot";
  const read = useRead("listDomains", { id: projectId });
  return (
    <PageHead title={texts.title} intro={texts.intro}>
      {isBot ? <Empty sentence={texts.botTitle}>{texts.botHint}</Empty> : <NewDomain projectId={projectId} />}
      <Reading of={read} skeleton={<Skeleton count={2} height="8rem" label={texts.title} />}>
        {({ domains }) =>
          domains.length === 0 ? (
            !isBot && <Empty sentence={texts.none}>{texts.noneHint}</Empty>
          ) : (
            <div className={styles.list}>
              {domains.map((domain) => (
                <OneDomain key={domain.hostname} projectId={projectId} domain={domain} />
              ))}
            </div>
          )
        }
      </Reading>
    </PageHead>
  );
}

function NewDomain({ projectId }: { projectId: string }) {
  const texts = useTexts(domainsTexts);
  const [hostname, setHostname] = useState("");
  const [redirectTo, setRedirectTo] = useState("");
  const quota = useLive((state) => state.account?.domains);
  const add = useAction("addDomain", { refreshes: ["listDomains"] });
  const whyFull =
    quota === undefined || quota.free > 0 ? undefined : texts[quota.limit > 0 ? "noneLeft" : "notInPlan"];
  const submit = () => {
    const target = redirectTo.trim();
    const body = { hostname: hostname.trim(), ...(target === "" ? {} : { redirectTo: target }) };
    void add.run({ id: projectId, body }, () => {
      setHostname("");
      setRedirectTo("");
    });
  };
  return (
    <Card>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (hostname.trim() !== "" && whyFull === undefined) submit();
        }}
      >
        {quota !== undefined && (
          <Meter
            label={texts.ofPlan}
            value={quota.used}
            max={quota.limit}
            text={texts.used(integer(quota.used), integer(quota.limit))}
          />
        )}
        <Field label={texts.hostname} hint={texts.hostnameHint}>
          <TextInput isMono value={hostname} onValue={setHostname} />
        </Field>
        <Field label={texts.redirectTo} note={texts.optional} hint={texts.redirectToHint}>
          <TextInput isMono value={redirectTo} onValue={setRedirectTo} />
        </Field>
        {add.error !== null && <Failure error={add.error} />}
        <div>
          <Button
            type="submit"
            variant="primary"
            icon={<PlusIcon />}
            isBusy={add.isRunning}
            why={whyFull ?? (hostname.trim() === "" ? texts.hasNoName : undefined)}
          >
            {texts.add}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function OneDomain({ projectId, domain }: { projectId: string; domain: Domain }) {
  const texts = useTexts(domainsTexts);
  const [isRemoving, setRemoving] = useState(false);
  const { hostname, unicodeHostname, status, redirectTo, error, checkedAt } = domain;
  const verify = useAction("verifyDomain", { refreshes: ["listDomains"] });
  const actions = (
    <>
      <Button isBusy={verify.isRunning} onClick={() => void verify.run({ id: projectId, hostname })}>
        {texts.verify}
      </Button>
      <Button onClick={() => setRemoving(true)}>{texts.remove}</Button>
    </>
  );
  return (
    <TitledCard
      title={unicodeHostname}
      {...(unicodeHostname === hostname ? {} : { description: hostname })}
      actions={actions}
    >
      <div className={styles.records}>
        <div className={styles.state}>
          <Badge tone={tones[status]}>{texts.statuses[status]}</Badge>
          {redirectTo !== null && <span className={styles.value}>{texts.redirects(redirectTo)}</span>}
          {status === "active" && <span>{texts.https[domain.certificate.status]}</span>}
          <span>{checkedAt === null ? texts.notChecked : texts.checked(ago(checkedAt))}</span>
        </div>
        {error !== null && (
          <Banner tone={status === "failed" ? "bad" : "warn"} role="status">
            {error.message}
          </Banner>
        )}
        {status === "active" && domain.certificate.error !== null && (
          <Banner tone="warn" role="status">
            {domain.certificate.error.message}
          </Banner>
        )}
        {verify.error !== null && <Failure error={verify.error} />}
        <DomainRecords domain={domain} />
      </div>
      {isRemoving && (
        <Suspense>
          <Removal projectId={projectId} domain={domain} onClose={() => setRemoving(false)} />
        </Suspense>
      )}
    </TitledCard>
  );
}

function Removal(props: { projectId: string; domain: Domain; onClose: () => void }) {
  const { projectId, domain, onClose } = props;
  const { hostname, unicodeHostname: name } = domain;
  const texts = useTexts(domainsTexts);
  const remove = useAction("removeDomain", { refreshes: ["listDomains"] });
  const confirm = () =>
    void remove.run({ id: projectId, hostname }, () => {
      tell({ tone: "ok", text: texts.removed(name) });
      onClose();
    });
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title={texts.removeTitle(name)}
      description={texts.removeText}
      confirmWord={texts.remove}
      cancelWord={texts.cancel}
      closeWord={texts.close}
      isBusy={remove.isRunning}
      onConfirm={confirm}
      onClose={onClose}
    >
      {remove.error !== null && <Failure error={remove.error} />}
    </ConfirmDialog>
  );
}
