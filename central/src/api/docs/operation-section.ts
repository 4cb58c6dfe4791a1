/** Renders one operation on the page: who may call it, its request, response and curl command. */

import { docsPageTexts as texts } from "@tijolo/protocol/texts/central";
import { nameOfRef, type ApiDocument, type ApiOperation, type Parameter } from "./api-document.ts";
import { html, type Html } from "./html.ts";
import { table } from "./table.ts";
import { markdown } from "./markdown.ts";
import { sampleOf } from "./sample-of.ts";
import { fieldTable, schemaTable } from "./schema-table.ts";

export interface PlacedOperation {
  method: string;
  path: string;
  operation: ApiOperation;
}

export function operationSection(placed: PlacedOperation, document: ApiDocument): Html {
  const { method, path, operation } = placed;
  const parameters = parametersOf(operation, document);
  return html`<article id="${operation.operationId}">
    <h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
    <p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
    <p class="access">${accessOf(operation)}</p>
    ${operation.description === undefined ? null : markdown(operation.description)}
    ${parameters.map(
      ([title, rows]) =>
        html`<h4>${title}</h4>
          ${fieldTable(rows)}`,
    )}
    ${bodyOf(operation)}
    <h4>${texts.example}</h4>
    <pre><code>${curlOf(placed, document)}</code></pre>
    ${answersOf(operation, document)} ${errorsOf(operation)}
  </article>`;
}

function accessOf({ security }: ApiOperation): Html {
  const scope = security.find(({ key }) => key !== undefined)?.key?.[0];
  if (scope !== undefined) return html`${texts.access.keyWith} <code>${scope}</code>${texts.access.orPanel}`;
  const role = security.find(({ operator }) => operator !== undefined)?.operator?.[0];
  if (role !== undefined)
    return html`${texts.access.operatorAs} <code>${role}</code> ${texts.access.orAbove}`;
  return security.length === 0 ? html`${texts.access.nobody}` : html`${texts.access.session}`;
}

function parametersOf(operation: ApiOperation, document: ApiDocument) {
  const all = (operation.parameters ?? []).map((parameter): Parameter | undefined =>
    "$ref" in parameter ? document.components.parameters[nameOfRef(parameter.$ref)] : parameter,
  );
  return Object.entries(texts.parameters)
    .map(([place, title]) => {
      const rows = all
        .filter((parameter) => parameter !== undefined)
        .filter((parameter) => parameter.in === place)
        .map(({ name, required, description, schema }) => ({
          name,
          isRequired: required === true,
          schema: { ...schema, ...(description === undefined ? {} : { description }) },
        }));
      return [title, rows] as const;
    })
    .filter(([, rows]) => rows.length > 0);
}

function bodyOf({ requestBody }: ApiOperation): Html | null {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || content === undefined) return null;
  return html`<h4>${texts.body} <small>${type}</small></h4>
    ${schemaTable(content.schema)}`;
}

function curlOf({ method, path, operation }: PlacedOperation, document: ApiDocument): string {
  const url = `${document.servers[0]?.url ?? ""}${path}`.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => `$${name.toUpperCase()}`,
  );
  const isForKeys = operation.security.some(({ key }) => key !== undefined);
  const isForOperators = operation.security.some(({ operator }) => operator !== undefined);
  const isForPanel = operation.security.some(({ session }) => session !== undefined) && !isForKeys;
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const isFile = operation.responses["200"]?.content?.["application/zip"] !== undefined;
  const isStream = operation.responses["200"]?.content?.["text/event-stream"] !== undefined;
  const body =
    type === "application/json"
      ? JSON.stringify(content?.example ?? sampleOf(content?.schema ?? {}, document.components.schemas))
      : null;
  return [
    `curl${isStream ? " -N" : ""}${isFile ? " -OJ" : ""}${method === "get" ? "" : ` -X ${method.toUpperCase()}`} "${url}"`,
    ...(isForKeys ? ['-H "Authorization: Bearer $SVC_KEY"'] : []),
    ...(isForOperators ? ['-H "Authorization: Bearer $TIJOLO_OPERATOR_TOKEN"'] : []),
    ...(isForPanel ? [`-b "${document.components.securitySchemes.session.name}=$SESSION"`] : []),
    ...(body === null ? [] : ['-H "Content-Type: application/json"', `-d '${body}'`]),
    ...(type === "multipart/form-data" ? ["-F start=true", "-F file=@projeto.zip"] : []),
  ].join(" \\\n  ");
}

function answersOf(operation: ApiOperation, document: ApiDocument): Html {
  const good = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
  return html`${good.map(([status, { description, content }]) => {
    const bodies = Object.entries(content ?? {}).map(([type, { schema }]) => {
      const shape = schema.contentSchema ?? schema;
      const isJson =
        type === "application/json" &&
        (shape.properties !== undefined || shape.$ref !== undefined || shape.oneOf !== undefined);
      const sample = isJson ? JSON.stringify(sampleOf(shape, document.components.schemas), null, 2) : null;
      return html`<p><small>${type}</small></p>
        ${schemaTable(shape)}
        ${
          sample === null
            ? null
            : html`<details>
                <summary>${texts.exampleOfAnswer}</summary>
                <pre><code>${sample}</code></pre>
              </details>`
        }`;
    });
    return html`<h4>${texts.answer} ${status} <small>${description}</small></h4>
      ${bodies}`;
  })}`;
}

function errorsOf(operation: ApiOperation): Html {
  const rows = Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) =>
      description.split("\n\n").map((line) => {
        const [, code = "", text = ""] = /^`(\w+)`: (.*)$/s.exec(line) ?? [];
        return html`<tr>
          <td>${status}</td>
          <td>
            <a href="#error-${code}"><code>${code}</code></a>
          </td>
          <td>${text}</td>
        </tr>`;
      }),
    );
  return html`<details>
    <summary>${texts.errors(rows.length)}</summary>
    ${table(texts.errorColumnsOfOperation, rows)}
  </details>`;
}
