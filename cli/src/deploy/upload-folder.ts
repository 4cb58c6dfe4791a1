/** Sends chosen files as a new project or as new code of one, and shows the progress. */

import { ApiError, type CallInput, type Client, type Project } from "@tijolo/protocol";
import { makeArchive } from "../archive/make-archive.ts";
import type { SelectedFile } from "../archive/select-files.ts";
import type { CommandContext } from "../command-context.ts";
import { formatBytes } from "../show/format.ts";
import { whileBusy } from "../project/while-busy.ts";
import { sendOnceMore } from "./send-once-more.ts";

export type UploadFields = CallInput<"createProject">["fields"];

export interface Upload {
  client: Client;
  /** Id of the project; null for a new one. */
  projectId: string | null;
  fields: UploadFields;
  wantsStart: boolean;
  /** Name of a new project when no setting has one. */
  folderName?: string;
  files: readonly SelectedFile[];
}

/** Uploads the folder; resolves with the project as it is once the archive is stored. */
export async function uploadFolder(context: CommandContext, upload: Upload): Promise<Project> {
  const { messages, output, signal, clock } = context;
  const { client, projectId, files } = upload;
  const totalBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  output.note(
    projectId === null ? messages.project.creatingProject : messages.project.usingOwnProject(projectId),
  );
  output.note(messages.project.uploading(files.length, formatBytes(totalBytes, messages.locale)));
  const startedAt = clock.now();
  let sentBytes = 0;
  const showSent = (made: number) => {
    sentBytes = made;
    output.progress(messages.project.sent(formatBytes(made, messages.locale)));
  };
  const fields = {
    ...upload.fields,
    ...(projectId === null && upload.wantsStart ? { start: "true" as const } : {}),
  };
  const send = (idempotencyKey: string) => {
    const file = { name: `${upload.folderName ?? "project"}.zip`, bytes: makeArchive(files, showSent) };
    return projectId === null
      ? client.createProject({ fields, file }, { signal, idempotencyKey })
      : client.uploadCode({ id: projectId, fields, file }, { signal, idempotencyKey });
  };
  const answer = await whileBusy(context, () => sendOnceMore(context, send).catch(busyError), isError);
  if (isError(answer)) throw answer;
  const { project } = answer;
  output.note(
    messages.project.uploaded(
      formatBytes(sentBytes, messages.locale),
      ((clock.now() - startedAt) / 1000).toFixed(1),
    ),
  );
  return project;
}

function busyError(cause: unknown): ApiError {
  if (cause instanceof ApiError && cause.code === "project_busy") return cause;
  throw cause;
}

function isError(answer: { project: Project } | ApiError): answer is ApiError {
  return answer instanceof ApiError;
}
