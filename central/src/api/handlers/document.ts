/** Handles the service's description of its own interface, between the edge and the documents. */

import type { OperationName } from "@tijolo/protocol";
import { cookieName } from "../../app/people/auth-cookie.ts";
import type { AppContext } from "../../app/context.ts";
import { createApiDocuments, docsPolicy, type ServedDocument } from "../docs/api-documents.ts";
import { baseUrlOf } from "../edge/base-url.ts";
import type { Call, Handlers } from "./handlers.ts";

type Answered = Pick<Call<OperationName>, "request" | "setHeader">;

export function documentHandlers(app: AppContext) {
  const documents = createApiDocuments({
    plans: [...app.plans.values()],
    limits: app.limits,
    morePackages: app.morePackages,
    sessionCookie: () => cookieName(app.panel, "session"),
  });
  const answer = (
    { setHeader }: Answered,
    { text, etag }: ServedDocument,
    headers: Record<string, string>,
  ) => {
    for (const [name, value] of Object.entries({
      etag,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      ...headers,
    })) {
      setHeader(name, value);
    }
    return text;
  };
  return {
    getOpenApi: async (call) =>
      answer(call, documents.openApi(baseUrlOf(app, call.request)), { ...forAnySite, vary: "host" }),
    getSvcSchema: async (call) => answer(call, documents.svcSchema(), forAnySite),
    getDocs: async (call) =>
      answer(call, documents.docs(baseUrlOf(app, call.request)), {
        "content-security-policy": docsPolicy,
        "referrer-policy": "no-referrer",
        vary: "host",
      }),
  } satisfies Partial<Handlers>;
}

/** Headers that allow any site to read a document: editors in a browser read these from their own address. */
const forAnySite = { "access-control-allow-origin": "*" };
