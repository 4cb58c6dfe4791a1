/** Chooses what the machines should prepare. */

import type { CallInput, HostImages } from "@tijolo/protocol/client";
import { useState } from "react";
import { clusterImagesTexts } from "../../texts/cluster/images.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import { ChangeDialog } from "./dialogs.tsx";
import { imageVersions, versionName } from "./image-versions.ts";

interface PullDialogProps {
  hosts: readonly HostImages["host"][];
  onPull: (body: CallInput<"pullImages">["body"]) => void;
  onClose: () => void;
}

const idle = { isRunning: false, error: null };

export function PullDialog({ hosts, onPull, onClose }: PullDialogProps) {
  const texts = useTexts(clusterImagesTexts);
  const [image, setImage] = useState("");
  const [host, setHost] = useState("");
  const [packages, setPackages] = useState("");
  const chosen = imageVersions.filter((version) => image === "" || versionName(version) === image);
  const confirm = () => {
    const systemPackages = packages.split(/[\s,]+/).filter(Boolean);
    onPull({ images: [...chosen], systemPackages, ...(host === "" ? {} : { host }) });
    onClose();
  };
  return (
    <ChangeDialog
      title={texts.pull}
      description={texts.pullText}
      confirmWord={texts.pull}
      action={idle}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Field label={texts.image}>
        <Select
          value={image}
          options={[
            { value: "", label: texts.allImages },
            ...imageVersions.map(versionName).map((name) => ({ value: name, label: name })),
          ]}
          onValue={setImage}
        />
      </Field>
      <Field label={texts.host}>
        <Select
          value={host}
          options={[
            { value: "", label: texts.allHosts },
            ...hosts.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onValue={setHost}
        />
      </Field>
      <Field label={texts.packages} hint={texts.packagesHint}>
        <TextInput isMono value={packages} onValue={setPackages} autoComplete="off" />
      </Field>
    </ChangeDialog>
  );
}
