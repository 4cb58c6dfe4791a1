/** The project operations, from the edge to the rules. */

import type { AppContext } from "../app/context.ts";
import { readLogs, streamLogs } from "../app/log-stream.ts";
import { restartProject, startProject, stopProject } from "../app/project-control.ts";
import { createProject, uploadCode } from "../app/project-upload.ts";
import { changeProject, deleteProject, getProject, listProjects } from "../app/project.ts";
import type { HostLink } from "../app/host-link.ts";
import type { Handlers } from "./handlers.ts";

export function projectHandlers(app: AppContext, link: HostLink): Handlers {
  return {
    listProjects: async ({ account }) => ({ projects: await listProjects(app, account) }),
    getProject: async ({ account, params }) => ({ project: await getProject(app, account, params.id) }),
    createProject: async ({ account, upload, body, signal }) => ({
      project: await createProject(app, account, { ...upload, form: body }, signal),
    }),
    uploadCode: async ({ account, params, upload, body, signal }) => ({
      project: await uploadCode(app, account, params.id, { ...upload, form: body }, signal),
    }),
    updateProject: ({ account, params, body }) => changeProject(app, account, params.id, body),
    async deleteProject({ account, params }) {
      await deleteProject(app, account, params.id);
      return undefined;
    },
    startProject: async ({ account, params }) => ({ project: await startProject(app, account, params.id) }),
    stopProject: async ({ account, params }) => ({ project: await stopProject(app, account, params.id) }),
    restartProject: async ({ account, params }) => ({ project: await restartProject(app, account, params.id) }),
    async streamLogs({ account, params, query, signal }) {
      await getProject(app, account, params.id);
      const input = { account, id: params.id, query, signal };
      return {
        events: () => streamLogs(app, link, input),
        page: () => readLogs(app, link, input),
        wantsPage: !query.follow,
      };
    },
  };
}
