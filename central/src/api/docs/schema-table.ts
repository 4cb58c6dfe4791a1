/** Renders a schema as a table of its fields, those of objects inside it too. */

import { docsPageTexts as texts } from "@tijolo/protocol/texts/central";
import { nameOfRef, type Schema } from "./api-document.ts";
import { html, type Html, type HtmlPart } from "./html.ts";
import { inline } from "./markdown.ts";

export interface Row {
  name: string;
  isRequired: boolean;
  schema: Schema;
}

export function schemaTable(schema: Schema): Html {
  if (schema.oneOf !== undefined) {
    return html`${schema.oneOf.map((variant, index) => html`${index === 0 ? null : html`<p class="or">${texts.or}</p>`}${schemaTable(variant)}`)}`;
  }
  const rows = rowsOf(schema);
  return rows.length === 0 ? html`<p>${typeOf(schema)}</p>` : fieldTable(rows);
}

export function fieldTable(rows: readonly Row[]): Html {
  return html`<div class="wide">
    <table class="fields">
      <thead>
        <tr>
          <th>${texts.field}</th>
          <th>${texts.type}</th>
          <th>${texts.meaning}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ name, isRequired, schema }) =>
            html`<tr>
              <td><code>${name}</code>${isRequired ? null : html` <small>${texts.optional}</small>`}</td>
              <td>${typeOf(schema)}</td>
              <td>${inline(schema.description ?? "")}${limits(schema)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function rowsOf(schema: Schema, prefix = ""): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const isRequired = schema.required?.includes(name) === true;
    const path = prefix + name;
    const list = property.items === undefined ? [] : rowsOf(property.items, `${path}[].`);
    const variants = (property.anyOf ?? []).flatMap((variant) => rowsOf(variant, `${path}.`));
    return [
      { name: path, isRequired, schema: property },
      ...rowsOf(property, `${path}.`),
      ...list,
      ...variants,
    ];
  });
}

const typeNames: Readonly<Record<string, string>> = texts.types;

function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined)
    return html`<a href="#schema-${nameOfRef(schema.$ref)}">${nameOfRef(schema.$ref)}</a>`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined)
    return joined(
      schema.enum.map((value) => html`<code>${String(value === "" ? '""' : value)}</code>`),
      ", ",
    );
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return joined(variants.map(typeOf), ` ${texts.or} `);
  if (schema.contentMediaType === "application/zip") return html`${texts.file}`;
  if (schema.items !== undefined) return html`${texts.listOf} ${typeOf(schema.items)}`;
  if (typeof schema.additionalProperties === "object") {
    const values = schema.additionalProperties;
    return Object.keys(values).length === 0
      ? html`${texts.object}`
      : html`${texts.objectOf} ${typeOf(values)}`;
  }
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return html`${texts.anyJson}`;
  return html`${types.map((type) => typeNames[type] ?? type).join(` ${texts.or} `)}`;
}

/** Pattern that the table leaves out, because almost every text has it. */
const withoutControls = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";

function limits(schema: Schema): Html | null {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  const said = [
    between(minimum, maximum, ""),
    between(minLength, maxLength, ` ${texts.characters}`),
    maxItems === undefined ? null : texts.atMostItems(maxItems),
    schema.default === undefined ? null : texts.standard(JSON.stringify(schema.default)),
  ].filter((text) => text !== null);
  const { pattern } = schema;
  const isShown = pattern !== undefined && schema.format === undefined && pattern !== withoutControls;
  const shape = isShown ? html` <code class="pattern">${pattern}</code>` : null;
  return said.length === 0 && shape === null ? null : html`<br /><small>${said.join("; ")}${shape}</small>`;
}

function between(least: number | undefined, most: number | undefined, unit: string): string | null {
  if (least !== undefined && most !== undefined) return texts.between(least, `${most}${unit}`);
  if (most !== undefined) return texts.atMost(`${most}${unit}`);
  return least === undefined || least === 0 ? null : texts.atLeast(`${least}${unit}`);
}

function joined(parts: readonly Html[], separator: string): Html {
  return html`${parts.flatMap((part, index): HtmlPart[] => (index === 0 ? [part] : [separator, part]))}`;
}
