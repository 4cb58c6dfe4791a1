/**
 * Stores the images that operators set for language versions; every host receives them, and keeps them while
 * central is unreachable.
 */

import type { ImageOverride, ImageOverrideChange, ImageVersion } from "@tijolo/protocol";
import { wantedChanged } from "../../store/tables/hosts/host.ts";
import { listHostIds } from "../../store/tables/hosts/host-id.ts";
import {
  deleteImageOverride,
  findImageReference,
  saveImageOverride,
} from "../../store/tables/hosts/image-override.ts";
import { transact, type Transaction } from "../../store/store.ts";
import type { OperatorActor } from "../identity/caller.ts";
import type { HostsContext } from "../hosts/hosts-context.ts";
import { recordAudit } from "../operators/audit.ts";

export function setImage(
  app: HostsContext,
  operator: OperatorActor,
  image: ImageVersion,
  reference: string,
): Promise<ImageOverrideChange> {
  const override = { ...image, reference };
  return change(app, operator, {
    image,
    override,
    write: (tx) => saveImageOverride(tx, override, app.clock.now()),
  });
}

export function unsetImage(
  app: HostsContext,
  operator: OperatorActor,
  image: ImageVersion,
): Promise<ImageOverrideChange> {
  return change(app, operator, { image, override: null, write: (tx) => deleteImageOverride(tx, image) });
}

interface Change {
  image: ImageVersion;
  override: ImageOverride | null;
  write: (tx: Transaction) => Promise<void>;
}

async function change(
  app: HostsContext,
  operator: OperatorActor,
  { image, override, write }: Change,
): Promise<ImageOverrideChange> {
  const { before, hostIds } = await transact(app.db, async (tx) => {
    const before = (await findImageReference(tx, image)) ?? null;
    const hostIds = await listHostIds(tx);
    await write(tx);
    for (const hostId of hostIds) await wantedChanged(tx, hostId, []);
    await recordAudit(app, tx, operator, {
      subject: { kind: "image", id: null, name: `${image.language} ${image.version}` },
      before: { reference: before },
      after: { reference: override?.reference ?? null },
    });
    return { before, hostIds };
  });
  const after = override?.reference ?? null;
  app.logger.info(
    { ...image, before, after, operator: operator.name },
    "an operator changed what a language version runs on",
  );
  const connected = hostIds.filter((hostId) => app.hostStates.isConnected(hostId)).length;
  return { override, before, hosts: { connected, away: hostIds.length - connected } };
}
