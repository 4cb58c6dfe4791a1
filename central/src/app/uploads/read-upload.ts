/** Reads an upload: checks its archive, and finds what its `svc.json`, form and files say of the settings. */

import {
  AppError,
  ArchiveError,
  archiveLimits,
  chooseVersion,
  type Plan,
  type UploadForm,
} from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { checkArchive, maxConfigBytes, type ArchiveTree } from "../../archive/check-archive.ts";
import type { IncomingFile } from "../../objects/objects.ts";
import { assertPackagesAllowed } from "../projects/allowed-packages.ts";
import type { SaidByUpload } from "./follow-upload.ts";
import { changeOfForm, parseSvcJson } from "./upload-config.ts";
import type { UploadsContext } from "./uploads-context.ts";

export interface Upload {
  file: IncomingFile;
  /** File name as the client sent it; a project without a name is called after it. */
  fileName: string;
  form: UploadForm;
  /** True when the caller may change settings, as new code of a project may bring some. */
  mayChangeSettings: boolean;
}

export interface ReadUpload {
  said: SaidByUpload;
  tree: ArchiveTree;
}

/** Throws the error of the archive, or of the configuration. */
export async function readUpload(
  app: UploadsContext,
  upload: Pick<Upload, "file" | "form">,
  plan: Plan,
  signal: AbortSignal,
): Promise<ReadUpload> {
  const { config, tree } = await checkFile(app, upload, plan, signal);
  const svcJson = config === null ? null : parseSvcJson(config.text);
  const form = changeOfForm(upload.form);
  for (const change of [svcJson, form]) assertPackagesAllowed(app, change?.systemPackages, "invalid_config");
  const read = (name: string) => tree.texts.get(name) ?? undefined;
  const said: SaidByUpload = { svcJson, form, chooseVersion: (language) => chooseVersion(language, read) };
  return { said, tree };
}

async function checkFile(
  app: UploadsContext,
  { file }: Pick<Upload, "file">,
  plan: Plan,
  signal: AbortSignal,
) {
  try {
    const limits = archiveLimits(plan.diskMbPerProject);
    return await app.archiveSlots.run(() => checkArchive(file.path, limits, signal), signal);
  } catch (cause) {
    if (!(cause instanceof ArchiveError)) throw cause;
    if (cause.code === "invalid_config")
      throw new AppError(cause.code, { detail: refusalDetails.svcJsonNotText(maxConfigBytes / 1024), cause });
    const { reason, words } = cause;
    throw new AppError(cause.code, {
      ...(reason && { extra: { reason } }),
      ...(words && { detail: words }),
      cause,
    });
  }
}
