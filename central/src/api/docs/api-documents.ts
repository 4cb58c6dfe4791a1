/** Holds the documents about the interface: each is made once, and identified by its content. */

import { createHash } from "node:crypto";
import { openApiDocument, svcJsonSchema, type Plan, type ServiceLimits } from "@tijolo/protocol";
import type { ApiDocument, Schema } from "./api-document.ts";
import { docsPage } from "./docs-page.ts";
import { docsStyle } from "./docs-style.ts";

/** A document for a caller who reached the service at `baseUrl`. */
export interface ServedDocument {
  text: string;
  /** Value of the header ETag. */
  etag: string;
}

export interface ApiDocuments {
  openApi(baseUrl: string): ServedDocument;
  docs(baseUrl: string): ServedDocument;
  svcSchema(): ServedDocument;
}

/** Placeholder of the base address until it is known; no text of ours contains it. */
const placeholder = "https://base-url.invalid/api";

export function createApiDocuments(facts: {
  plans: readonly Plan[];
  limits: ServiceLimits;
  morePackages: readonly string[];
  sessionCookie: () => string;
}): ApiDocuments {
  const make = once(() => {
    const { plans, limits, morePackages, sessionCookie } = facts;
    const document = openApiDocument({
      baseUrl: placeholder,
      sessionCookie: sessionCookie(),
      plans,
      limits,
      morePackages,
    });
    const schema = svcJsonSchema(morePackages);
    const content = {
      document: document as unknown as ApiDocument,
      svcJsonSchema: schema as Schema,
      facts: { plans, limits },
    };
    return {
      openApi: template(JSON.stringify(document)),
      docs: template(docsPage(content)),
      svcSchema: template(JSON.stringify(schema)),
    };
  });
  return {
    openApi: (baseUrl) => make().openApi(baseUrl),
    docs: (baseUrl) => make().docs(baseUrl),
    svcSchema: () => make().svcSchema(""),
  };
}

/** Content security policy of the page: it may load its own style, and nothing else. */
export const docsPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(docsStyle).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

function template(text: string): (baseUrl: string) => ServedDocument {
  const digest = createHash("sha256").update(text).digest();
  return (baseUrl) => ({
    text: text.replaceAll(placeholder, baseUrl),
    etag: `"${createHash("sha256").update(digest).update(baseUrl).digest("base64url").slice(0, 22)}"`,
  });
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
