/** What can be done about an orphan: central takes it back, or its machine deletes it. */

import type { HostOrphans, OperationAnswer, Orphan } from "@tijolo/protocol/client";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { clusterOrphansTexts } from "../../texts/cluster/orphans.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Checkbox } from "../../ui/fields/checkbox.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";
import { fieldError } from "../entry/field-error.ts";
import { ChangeDialog } from "./dialogs.tsx";

/** An orphan with the machine that has it. */
export interface FoundOrphan extends Orphan {
  host: HostOrphans["host"];
}

export type Adoption = OperationAnswer<"adoptOrphan">;

/** Its name; one whose machine does not know it has only its id. */
export const nameOf = ({ name, id }: Pick<Orphan, "name" | "id">): string => name ?? id;

interface AdoptOrphanProps {
  orphan: FoundOrphan;
  onAdopted: (adoption: Adoption) => void;
  onClose: () => void;
}

export function AdoptOrphan({ orphan, onAdopted, onClose }: AdoptOrphanProps) {
  const texts = useTexts(clusterOrphansTexts);
  const adopt = useAction("adoptOrphan", { refreshes: ["listOrphans", "listHosts", "getHost"] });
  const [accountId, setAccountId] = useState("");
  const [isHostTrusted, setTrusted] = useState(false);
  const lacksAccount = orphan.account?.name == null && accountId.trim() === "";
  const lacksTrust = !orphan.isProven && !isHostTrusted;
  const why = lacksAccount ? texts.needsAccount : lacksTrust ? texts.needsTrust : undefined;
  const confirm = () => {
    const chosen = accountId.trim() === "" ? {} : { accountId: accountId.trim() };
    const body = { host: orphan.host.id, isHostTrusted, ...chosen };
    void adopt.run({ projectId: orphan.id, body }, (answer) => {
      onAdopted(answer);
      onClose();
    });
  };
  return (
    <ChangeDialog
      title={texts.adoptTitle(nameOf(orphan))}
      description={texts.adoptText}
      confirmWord={texts.adopt}
      action={adopt}
      fields={["accountId"]}
      why={why}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Field
        label={texts.toAccount}
        {...(orphan.account?.name == null ? {} : { hint: texts.toAccountHint })}
        {...fieldError(adopt.error, "accountId")}
      >
        <TextInput isMono value={accountId} onValue={setAccountId} maxLength={26} autoComplete="off" />
      </Field>
      {!orphan.isProven && <Checkbox label={texts.trust} checked={isHostTrusted} onValue={setTrusted} />}
    </ChangeDialog>
  );
}

export function RemoveOrphan({ orphan, onClose }: { orphan: FoundOrphan; onClose: () => void }) {
  const texts = useTexts(clusterOrphansTexts);
  const remove = useAction("removeOrphan", { refreshes: ["listOrphans", "listHosts", "getHost"] });
  const name = nameOf(orphan);
  const confirm = () =>
    void remove.run({ projectId: orphan.id, query: { host: orphan.host.id } }, () => {
      tell({ tone: "ok", text: texts.removed(name) });
      onClose();
    });
  return (
    <ChangeDialog
      isDangerous
      title={texts.removeTitle(name)}
      description={texts.removeText(orphan.host.name)}
      confirmWord={texts.remove}
      typed={name}
      action={remove}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
