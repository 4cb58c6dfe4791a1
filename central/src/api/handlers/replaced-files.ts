/** Handles the operations on files that new code replaced, between the edge and the rules. */

import type { AppContext } from "../../app/context.ts";
import { listReplacedFiles, restoreReplacedFiles } from "../../app/host-projects/replaced-files.ts";
import type { HostLink } from "../../app/hosts/host-link.ts";
import type { Handlers } from "./handlers.ts";

export function replacedFilesHandlers(app: AppContext, link: Pick<HostLink, "ask">) {
  return {
    listReplacedFiles: async ({ principal: { account }, params: { id }, signal }) => ({
      replaced: await listReplacedFiles(app, link, { account, id, signal }),
    }),
    restoreReplacedFiles: ({ principal, params: { id, version }, body: { path }, signal }) =>
      restoreReplacedFiles(app, link, principal, { id, version, path, signal }),
  } satisfies Partial<Handlers>;
}
