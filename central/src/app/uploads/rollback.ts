/** Takes a project back to one of its versions: a new version with that one's code and start. */

import {
  AppError,
  isSupportedVersion,
  minimumMemoryMb,
  supportedLanguages,
  type Plan,
  type Project,
  type ProjectSettings,
} from "@tijolo/protocol";
import { refusalDetails, settingsDetails } from "@tijolo/protocol/texts/central";
import { transact, type Transaction } from "../../store/store.ts";
import {
  findSettingsOrigin,
  saveSettingsOrigin,
  type SettingsOrigin,
} from "../../store/tables/projects/version-config.ts";
import { getAccountNow } from "../accounts/account-now.ts";
import type { Principal } from "../identity/caller.ts";
import { assertPackagesAllowed } from "../projects/allowed-packages.ts";
import { getOwned } from "../projects/project.ts";
import { viewProject } from "../projects/project-view.ts";
import { assertVariablesOpen } from "../projects/variable.ts";
import { assertArchiveStored, getVersion } from "../projects/version.ts";
import { addVersion, assertMayReceiveCode } from "./next-version.ts";
import type { UploadsContext } from "./uploads-context.ts";

/** Rolls back; paced like an upload, and a refused request does not count. */
export async function rollbackProject(
  app: UploadsContext,
  principal: Principal,
  id: string,
  number: number,
): Promise<Project> {
  using slot = app.uploadSlots.begin(principal.account.id, false);
  try {
    return await rollBack(app, principal, id, number);
  } catch (cause) {
    slot.withdraw();
    throw cause;
  }
}

async function rollBack(
  app: UploadsContext,
  principal: Principal,
  id: string,
  number: number,
): Promise<Project> {
  const { account } = principal;
  await getOwned(app.db, account, id);
  return app.projectQueues.run(id, async () => {
    // Its row names the archive, so none is collected before the transaction.
    const { sha256 } = await getVersion(app.db, id, number);
    await assertArchiveStored(app, { projectId: id, number, sha256 });
    const { row, plan } = await transact(app.db, (tx) => rollBackInside(app, tx, { principal, id, number }));
    return viewProject(app, plan, row, principal.language);
  });
}

async function rollBackInside(
  app: UploadsContext,
  tx: Transaction,
  { principal, id, number }: { principal: Principal; id: string; number: number },
) {
  const { account, plan } = await getAccountNow(app, tx, principal.account.id);
  const current = await getOwned(tx, account, id);
  const { settings: past, sha256, sizeBytes } = await getVersion(tx, id, number);
  assertMayReceiveCode(app, account, current);
  await assertVariablesOpen(app, tx, id);
  const { morePackages } = app;
  const settings =
    past === null ? current.settings : settingsBack(current.settings, past, { plan, number, morePackages });
  // Read before the oldest versions go, which may be those that are asked about.
  const present = await findSettingsOrigin(tx, { projectId: id, number: current.versionNumber });
  const origin = originBack(present, await findSettingsOrigin(tx, { projectId: id, number }));
  const row = await addVersion(app, tx, principal, {
    plan,
    current,
    change: { settings, runningSettings: current.runningSettings ?? current.settings },
    archive: { sha256, sizeBytes },
    trigger: "rollback",
    rolledBackFrom: number,
    action: "project.rollback",
  });
  if (origin !== null) await saveSettingsOrigin(tx, { projectId: id, number: row.versionNumber, origin });
  return { row, plan };
}

/** Settings that belong to the code; the others stay as they are. */
const ofCode: readonly string[] = [
  "language",
  "version",
  "entry",
  "command",
  "installCommand",
  "root",
  "spa",
  "systemPackages",
  "port",
];

/** Returns which settings follow the next upload: each as in the version that it has been taken from. */
function originBack(present: SettingsOrigin | null, past: SettingsOrigin | null): SettingsOrigin | null {
  if (past === null) return null;
  const kept = (present?.svcJson ?? []).filter((field) => !ofCode.includes(field));
  return { ...past, svcJson: [...past.svcJson.filter((field) => ofCode.includes(field)), ...kept] };
}

/**
 * Returns the present settings with those of the version that belong to its code. The type stays what it is
 * now: a site keeps its port where the version was a bot's. What the present type, memory or lists of languages
 * and packages do not allow is refused.
 */
export function settingsBack(
  current: ProjectSettings,
  past: ProjectSettings,
  { plan, number, morePackages }: { plan: Plan; number: number; morePackages: readonly string[] },
): ProjectSettings {
  const { type, memoryMb } = current;
  const { language, version, entry, command, installCommand, root, systemPackages } = past;
  if (!isSupportedVersion(language, version))
    throw new AppError("unsupported_language", { extra: { supported: supportedLanguages() } });
  if (type === "bot" && language === "static") {
    throw new AppError("invalid_config", {
      extra: { field: "type" },
      detail: refusalDetails.versionOfStaticSite(number),
    });
  }
  const minimumMb = minimumMemoryMb(plan, { type, language });
  // As with every other change, memory below the minimum of a plan that came later stays.
  if (memoryMb < minimumMb && minimumMb > minimumMemoryMb(plan, current)) {
    throw new AppError("invalid_config", {
      extra: { field: "memoryMb" },
      detail: settingsDetails.leastMemory(minimumMb),
    });
  }
  // One that the project has already stays, as with every other change.
  const added = systemPackages.filter((name) => !current.systemPackages.includes(name));
  assertPackagesAllowed({ morePackages }, added, "invalid_config");
  const port = type === "site" ? (past.port ?? current.port) : null;
  const { spa: _spa, ...present } = current;
  const { spa } = past;
  return {
    ...present,
    ...(spa === undefined ? {} : { spa }),
    language,
    version,
    entry,
    command,
    installCommand,
    root,
    systemPackages,
    port,
  };
}
