/** Handles the project operations, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import { downloadLog } from "../../app/logs/log-download.ts";
import { followLogs, readLogPage } from "../../app/logs/log-stream.ts";
import { restartProject, startProject, stopProject } from "../../app/projects/project-control.ts";
import { createProject, uploadCode } from "../../app/uploads/project-upload.ts";
import { hasScope } from "../../app/identity/caller.ts";
import { settingsScope } from "../../app/uploads/settings-scope.ts";
import { rollbackProject } from "../../app/uploads/rollback.ts";
import {
  changeProject,
  deleteProject,
  getOwned,
  listProjectPage,
  listProjects,
  showProject,
} from "../../app/projects/project.ts";
import { fileNameOf } from "../../app/projects/file-name.ts";
import { listVersions, openArchive } from "../../app/projects/version.ts";
import type { HostLink } from "../../app/hosts/host-link.ts";
import { languageOf } from "../edge/answer-language.ts";
import type { Handlers } from "./handlers.ts";

const defaultPageLimit = 100;

export function projectHandlers(app: AppContext, link: HostLink) {
  return {
    listProjects: ({ principal, query: { limit, cursor } }) =>
      limit === undefined && cursor === undefined
        ? listProjects(app, principal)
        : listProjectPage(app, principal, { cursor, limit: limit ?? defaultPageLimit }),
    getProject: ({ principal, params }) => showProject(app, principal, params.id),
    createProject: async ({ principal, upload, body, signal }) => ({
      project: await createProject(app, principal, { ...upload, form: body }, signal),
    }),
    async uploadCode({ principal, caller, params, upload, body, signal }) {
      const given = { ...upload, form: body, mayChangeSettings: hasScope(caller, settingsScope) };
      return { project: await uploadCode(app, principal, params.id, given, signal) };
    },
    updateProject: ({ principal, params, body }) => changeProject(app, principal, params.id, body),
    async deleteProject({ principal, params }) {
      await deleteProject(app, principal, params.id);
      return undefined;
    },
    startProject: async ({ principal, params }) => ({
      project: await startProject(app, principal, params.id),
    }),
    stopProject: async ({ principal, params }) => ({ project: await stopProject(app, principal, params.id) }),
    restartProject: async ({ principal, params }) => ({
      project: await restartProject(app, principal, params.id),
    }),
    listVersions: async ({ principal, params }) => ({
      versions: await listVersions(app, principal, params.id),
    }),
    downloadVersion: ({ principal: { account }, params }) =>
      openArchive(app, account, params.id, params.number),
    rollbackProject: async ({ principal, params }) => ({
      project: await rollbackProject(app, principal, params.id, params.number),
    }),
    async downloadLogs({ principal: { account }, params, query, request, signal }) {
      const { hostId, name } = await getOwned(app.db, account, params.id);
      const language = languageOf(request.headers["accept-language"]);
      const log = { accountId: account.id, projectId: params.id, hostId, query, language, signal };
      return { fileName: `${fileNameOf(name)}.log`, content: () => downloadLog(app, link, log) };
    },
    async streamLogs({ principal: { account }, params, query, signal }) {
      const { hostId } = await getOwned(app.db, account, params.id);
      const log = { accountId: account.id, projectId: params.id, hostId, query, signal };
      return {
        events: () => followLogs(app, link, log),
        page: () => readLogPage(link, log),
        wantsPage: !query.follow,
      };
    },
  } satisfies Partial<Handlers>;
}
