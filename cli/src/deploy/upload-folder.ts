/** Sends chosen files as a new project or as new code of one, showing how far it is. */

import type { CallInput, Client, Project } from "@tijolo/protocol";
import { makeArchive } from "../archive/make-archive.ts";
import type { SelectedFile } from "../archive/select-files.ts";
import type { CommandContext } from "../command-context.ts";
import { formatBytes } from "../format.ts";

export type UploadFields = CallInput<"createProject">["fields"];

export interface Upload {
  client: Client;
  /** Null for a new project. */
  projectId: string | null;
  fields: UploadFields;
  wantsStart: boolean;
  files: readonly SelectedFile[];
}

/** Resolves with the project as it is once the archive is stored. */
export async function uploadFolder(context: CommandContext, upload: Upload): Promise<Project> {
  const { messages, output, signal, clock } = context;
  const { client, projectId, files } = upload;
  const totalBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  output.note(projectId === null ? messages.creatingProject : messages.usingOwnProject(projectId));
  output.note(messages.uploading(files.length, formatBytes(totalBytes, "pt-BR")));
  const startedAt = clock.now();
  let sentBytes = 0;
  const bytes = makeArchive(files, (made) => {
    sentBytes = made;
    output.progress(messages.sent(formatBytes(made, "pt-BR")));
  });
  const file = { name: "project.zip", bytes };
  const fields = { ...upload.fields, ...(projectId === null && upload.wantsStart ? { start: "true" as const } : {}) };
  const { project } =
    projectId === null
      ? await client.createProject({ fields, file }, { signal })
      : await client.uploadCode({ id: projectId, fields, file }, { signal });
  output.note(messages.uploaded(formatBytes(sentBytes, "pt-BR"), ((clock.now() - startedAt) / 1000).toFixed(1)));
  return project;
}
