/** Generates TypeScript types of the API description, by a generator from outside this project. */

import { openApiDocument } from "@tijolo/protocol";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";

const heading =
  "// Written by openapi-typescript from the API description: `node test/generated/write.ts` writes it anew.\n\n";

export async function generateClientTypes(): Promise<string> {
  const document = openApiDocument({ baseUrl: "https://tijolo.dev/api", sessionCookie: "tijolo-session" });
  return heading + astToString(await openapiTS(withoutTexts(document) as OpenAPI3));
}

/** Removes texts, which change more often than types, and make four fifths of the file. */
function withoutTexts(document: object): unknown {
  return JSON.parse(
    JSON.stringify(document, (name, value: unknown) => {
      if (name === "example" || (name === "examples" && Array.isArray(value))) return undefined;
      return (name === "description" || name === "summary") && typeof value === "string" ? "" : value;
    }),
  );
}
