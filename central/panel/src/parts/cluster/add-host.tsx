/** Adds a machine: one command to run there, then the wait until it is in. Loaded when it is opened. */

import type { OperationAnswer } from "@tijolo/protocol/client";
import { useEffect, useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { refresh, useRead } from "../../api/use-read.ts";
import { dateTime } from "../../formats/formats.ts";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { clusterHostsTexts } from "../../texts/cluster/hosts.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { CopyText } from "../../ui/actions/copy-text.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { NumberInput } from "../../ui/fields/number-input.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { Spinner } from "../../ui/marks/spinner.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { fieldError } from "../entry/field-error.ts";
import { ChangeDialog } from "./dialog-forms.tsx";
import styles from "./dialog-forms.module.css";

type Token = OperationAnswer<"createJoinToken">;
/** Milliseconds between two looks, and in which they end. */
const askEveryMs = 3_000;
const askForMs = 15 * 60_000;

export function AddHost({ onClose }: { onClose: () => void }) {
  const texts = useTexts(clusterHostsTexts);
  const create = useAction("createJoinToken");
  const [memoryMb, setMemoryMb] = useState<number | null>(null);
  const [token, setToken] = useState<Token | null>(null);
  if (token !== null) return <Joining token={token} onClose={onClose} />;
  return (
    <ChangeDialog
      title={texts.add}
      description={texts.addIntro}
      confirmWord={texts.createToken}
      action={create}
      fields={["memoryMb"]}
      onClose={onClose}
      onConfirm={() => void create.run({ body: memoryMb === null ? {} : { memoryMb } }, setToken)}
    >
      <Field label={texts.memory} hint={texts.memoryHint} {...fieldError(create.error, "memoryMb")}>
        <NumberInput value={memoryMb} onValue={setMemoryMb} unit="MB" min={1} step={1024} />
      </Field>
    </ChangeDialog>
  );
}

function Joining({ token, onClose }: { token: Token; onClose: () => void }) {
  const words = useTexts(clusterTexts);
  const texts = useTexts(clusterHostsTexts);
  const { joined, isWaiting } = useJoined();
  // A builtin of the shell writes the token: it stands in no list of processes.
  const command = `(umask 077; printf %s '${token.token}' > /root/tijolo-join-token) && TIJOLO_CENTRAL_URL=${location.origin} TIJOLO_JOIN_TOKEN_FILE=/root/tijolo-join-token node cli/bootstrap/run.mjs agent`;
  return (
    <Dialog
      isOpen
      isHeld
      isWide
      onClose={onClose}
      title={texts.commandTitle}
      description={texts.commandHint}
      closeWord={words.close}
      actions={
        <Button variant={joined === null ? "plain" : "primary"} onClick={onClose}>
          {words.close}
        </Button>
      }
    >
      <div className={styles.form}>
        <CopyText
          text={command}
          label={texts.command}
          copyWord={words.copy}
          copiedWord={words.copied}
          isBlock
        />
        <p>{words.validUntil(dateTime(token.expiresAt))}</p>
        <div role="status">
          {joined !== null && <Banner tone="ok" title={texts.joined(joined)} />}
          {joined === null && isWaiting && <Spinner label={texts.waiting} />}
          {joined === null && !isWaiting && <Banner tone="warn" title={texts.waitingEnded} />}
        </div>
      </div>
    </Dialog>
  );
}

/**
 * The name of a machine that came since this was opened. The live stream is about the person's own account and
 * has no event for machines: so the list is asked for anew while the dialog is open, 15 minutes at most.
 */
function useJoined(): { joined: string | null; isWaiting: boolean } {
  const { data } = useRead("listHosts");
  const [known, setKnown] = useState<ReadonlySet<string> | null>(null);
  const [isWaiting, setWaiting] = useState(true);
  useEffect(() => {
    if (data !== undefined) setKnown((before) => before ?? new Set(data.hosts.map(({ id }) => id)));
  }, [data]);
  const joined =
    known === null
      ? undefined
      : data?.hosts.find(({ id, state }) => !known.has(id) && state !== "never_connected");
  const isAsking = isWaiting && joined === undefined;
  useEffect(() => {
    if (!isAsking) return undefined;
    const asking = setInterval(() => void refresh("listHosts"), askEveryMs);
    const end = setTimeout(() => setWaiting(false), askForMs);
    return () => {
      clearInterval(asking);
      clearTimeout(end);
    };
  }, [isAsking]);
  return { joined: joined?.name ?? null, isWaiting };
}
