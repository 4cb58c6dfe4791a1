/** Renders the API description as one page: no script, nothing from other servers. */

import {
  errorTable,
  introduction,
  type ErrorDefinition,
  type IntroductionFacts,
  type Section,
} from "@tijolo/protocol";
import { docsPageTexts as texts } from "@tijolo/protocol/texts/central";
import type { ApiDocument, Schema } from "./api-document.ts";
import { html, type Html } from "./html.ts";
import { table } from "./table.ts";
import { markdown } from "./markdown.ts";
import { operationSection, type PlacedOperation } from "./operation-section.ts";
import { schemaTable } from "./schema-table.ts";
import { docsStyle } from "./docs-style.ts";

export interface DocsContent {
  document: ApiDocument;
  svcJsonSchema: Schema;
  facts: IntroductionFacts;
}

/** Style element in one piece: the page's policy names the digest of exactly this text. */
const styleElement: Html = { html: `<style>${docsStyle}</style>` };

export function docsPage({ document, svcJsonSchema, facts }: DocsContent): string {
  const contents: Contents = {
    document,
    svcJsonSchema,
    pageTitle: texts.title(document.info.title),
    sections: introduction(facts),
    groups: groupsOf(document),
  };
  const page = html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${contents.pageTitle}</title>
        ${styleElement}
      </head>
      <body>
        <a class="skip" href="#conteudo">${texts.toContent}</a>
        <a class="to-index" href="#indice">${texts.index}</a>
        ${main(contents)} ${index(contents)}
      </body>
    </html>`;
  return page.html;
}

/** Holds what the page shows and its index lists. */
interface Contents {
  document: ApiDocument;
  svcJsonSchema: Schema;
  pageTitle: string;
  sections: readonly Section[];
  groups: readonly OperationGroup[];
}

function main({ document, svcJsonSchema, pageTitle, sections, groups }: Contents): Html {
  return html`<main id="conteudo">
    <h1>${pageTitle}</h1>
    <p>
      ${texts.address}: <code>${document.servers[0]?.url ?? ""}</code>. ${texts.forPrograms}:
      <a href="openapi.json">OpenAPI 3.1</a>; ${texts.forEditor}:
      <a href="svc.schema.json">${texts.svcJsonSchema}</a>.
    </p>
    ${sections.map(
      ({ title, text }) =>
        html`<section id="${slug(title)}">
          <h2>${title}</h2>
          ${markdown(text)}
        </section>`,
    )}
    ${groups.map(
      ({ name, description, operations }) =>
        html`<section id="${slug(name)}">
          <h2>${name}</h2>
          ${description === undefined ? null : markdown(description)}
          ${operations.map((placed) => operationSection(placed, document))}
        </section>`,
    )}
    <section id="svc-json">
      <h2>svc.json</h2>
      ${markdown(texts.svcJson)} ${schemaTable(svcJsonSchema)} ${markdown(texts.versionsByLanguage)}
      ${versionTable(svcJsonSchema)}
      <h4>${texts.examples}</h4>
      ${(svcJsonSchema.examples ?? []).map((example) => html`<pre><code>${JSON.stringify(example, null, 2)}</code></pre>`)}
    </section>
    <section id="codigos">
      <h2>${texts.errorCodes}</h2>
      ${errorReference()}
    </section>
    <section id="recursos">
      <h2>${texts.resources}</h2>
      ${resourceArticles(document)}
    </section>
  </main>`;
}

/** Renders the schemas that operations share, without the bodies of errors, which have their own table. */
function resourceArticles({ components }: ApiDocument): Html[] {
  const resources = Object.entries(components.schemas).filter(
    ([name]) => !name.endsWith("Error") || name === "ProjectError",
  );
  return resources.map(
    ([name, schema]) =>
      html`<article id="schema-${name}">
        <h3><a href="#schema-${name}">${name}</a></h3>
        ${schema.description === undefined ? null : markdown(schema.description)}${schemaTable(schema)}
      </article>`,
  );
}

/** Renders the list of links that leads through the page. */
function index({ document, pageTitle, sections, groups }: Contents): Html {
  return html`<nav id="indice" aria-label="${texts.index}">
    <p>
      <a href="#conteudo">${pageTitle}</a>
      <small>${document.info.version}</small>
    </p>
    <ul>
      ${sections.map(({ title }) => html`<li><a href="#${slug(title)}">${title}</a></li>`)}
    </ul>
    ${groups.map(
      ({ name, operations }) =>
        html`<h2>${name}</h2>
          <ul>
            ${operations.map(
              ({ method, operation }) =>
                html`<li>
                  <a href="#${operation.operationId}"
                    ><span class="method ${method}">${method.toUpperCase()}</span> ${operation.summary}</a
                  >
                </li>`,
            )}
          </ul>`,
    )}
    <h2>${texts.reference}</h2>
    <ul>
      <li><a href="#svc-json">svc.json</a></li>
      <li><a href="#codigos">${texts.errorCodes}</a></li>
      <li><a href="#recursos">${texts.resources}</a></li>
    </ul>
  </nav>`;
}

/** Holds the operations with one tag: one section of the page. */
interface OperationGroup {
  name: string;
  description?: string | undefined;
  operations: PlacedOperation[];
}

function groupsOf(document: ApiDocument): OperationGroup[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): PlacedOperation => ({ method, path, operation })),
  );
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: all.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

function versionTable(schema: Schema & { allOf?: readonly unknown[] }): Html {
  const rows = ((schema.allOf ?? []) as LanguageRule[]).flatMap((rule) => {
    const language = rule.if.properties.language?.const;
    const version = rule.then.properties?.version;
    if (language === undefined || version === undefined) return [];
    const names = version.enum.filter((name) => name !== null);
    const others = names.map((name) => (name === "" ? '""' : name)).join(", ");
    return [
      html`<tr>
        <td><code>${language}</code></td>
        <td>${others}</td>
        <td>${version.default === "" ? '""' : version.default}</td>
      </tr>`,
    ];
  });
  return table(texts.versionColumns, rows);
}

interface LanguageRule {
  if: { properties: { language?: { const?: string } } };
  then: { properties?: { version?: { enum: (string | null)[]; default: string } } };
}

function errorReference(): Html {
  const rows = Object.entries<ErrorDefinition>(errorTable).map(
    ([code, { status, message, extra, mayRetry }]) =>
      html`<tr id="error-${code}">
        <td>${code === "invalid_zip" ? texts.eitherStatus(413, 422) : status}</td>
        <td><code>${code}</code></td>
        <td>${message}</td>
        <td>${extra.map((name) => html`<code>${name}</code> `)}</td>
        <td>${mayRetry ? texts.yes : texts.no}</td>
      </tr>`,
  );
  return table(texts.errorColumns, rows);
}

function slug(title: string): string {
  return title
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
}
