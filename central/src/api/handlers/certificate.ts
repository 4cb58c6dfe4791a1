/** Handles the operations on certificates, between the edge and the rules. */

import { getAuthority } from "../../app/certificates/local-authority.ts";
import type { AppContext } from "../../app/context.ts";
import type { Handlers } from "./handlers.ts";

export function certificateHandlers(app: AppContext) {
  return {
    getAuthority: async () => ({ authority: await getAuthority(app) }),
  } satisfies Partial<Handlers>;
}
