import type { JsonSchema } from "@valibot/to-json-schema";
import { snakeCase } from "#src/http/contract.ts";
import { audiences, type Endpoint, isIdempotent, partsOf } from "#src/http/endpoint.ts";
import { scopeOf } from "#src/people/sign-ins/access-tokens.ts";
import type { NamedEndpoint } from "./all-endpoints.ts";
import { errorResponses, errorsOf, ownErrorsOf, queryOf } from "./error-responses.ts";
import { type Example, exampleOf } from "./examples.ts";
import { bodySchema, valueSchema } from "./json-schemas.ts";

/** Renders an endpoint of the reference as a collapsible section. */
export function endpointSection({ name, endpoint }: NamedEndpoint): string {
  const { summary, who, notes } = endpoint;
  const { method, path } = partsOf(endpoint);
  const about = notes === undefined ? "" : `<p>${withCode(notes)}</p>`;
  return `<details class="endpoint" id="${name}"><summary>
<span class="method ${method.toLowerCase()}">${method}</span><code>${breakable(path)}</code><span class="what">${Bun.escapeHTML(summary)}</span>
</summary><div class="endpoint-details">
<p class="who"><b>For</b> ${Bun.escapeHTML(audiences[who])}${tokenNote(endpoint)}</p>${about}
${fieldsTable("Query", queryFields(endpoint))}
${fieldsTable("Body", endpoint.body === undefined ? [] : fieldsOf(bodySchema(endpoint.body)))}
${headersList(endpoint)}
${exampleBlocks(exampleOf(name))}
${errorsTable(endpoint)}
</div></details>`;
}

/** Which access tokens open it. */
function tokenNote(endpoint: Endpoint): string {
  const scope = scopeOf(endpoint);
  return scope === null ? "" : ` <b>Token</b> <code>${scope}</code>`;
}

function queryFields(endpoint: Endpoint): Field[] {
  return Object.entries(queryOf(endpoint)).map(([name, schema]) => ({
    name: snakeCase(name),
    type: describeType(valueSchema(schema)),
    required: schema.type !== "optional",
  }));
}

function fieldsTable(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return "";
  const rows = fields.map(
    ({ name, type, required }) =>
      `<tr><th scope="row"><code>${breakable(name)}</code>${required ? " <small>required</small>" : ""}</th><td>${Bun.escapeHTML(type)}</td></tr>`,
  );
  return `<h3>${title}</h3><table><tbody>${rows.join("")}</tbody></table>`;
}

function headersList(endpoint: Endpoint): string {
  const { versioned, etag, paged, rate } = endpoint;
  const notes = [
    isIdempotent(endpoint)
      ? "Takes <code>Idempotency-Key</code>: a repeated request with the same key has no further effect."
      : "",
    versioned === true ? "Takes <code>If-Match</code> with the version that the client has read." : "",
    etag === true ? "Returns an <code>ETag</code>; <code>If-None-Match</code> with it is answered 304." : "",
    paged === true ? "<code>Link</code> names the first, last, next and previous page." : "",
    rate === undefined ? "" : "<code>RateLimit</code> says how many requests are left.",
  ].filter((line) => line !== "");
  return notes.length === 0 ? "" : `<h3>Headers</h3><p>${notes.join("<br>")}</p>`;
}

function exampleBlocks(example: Example | undefined): string {
  if (example === undefined) return "";
  const { request, body, status, answer } = example;
  const bodyText = body === undefined ? "" : `\n\n${JSON.stringify(body, null, 2)}`;
  const text = typeof answer === "string" ? answer : JSON.stringify(answer, null, 2);
  const answerText = answer === undefined ? "" : `\n\n${text}`;
  return `<h3>Example</h3><pre tabindex="0">${Bun.escapeHTML(request + bodyText)}</pre>
<pre tabindex="0">${Bun.escapeHTML(String(status) + answerText)}</pre>`;
}

function errorsTable(endpoint: Endpoint): string {
  const general = errorsOf(endpoint).map((name) => {
    const { status, when, example } = errorResponses[name];
    return { status, code: example.code, when };
  });
  const rows = [...general, ...ownErrorsOf(endpoint)]
    .toSorted((one, other) => one.status - other.status)
    .map(
      ({ status, code, when }) =>
        `<tr><th scope="row">${status} <code>${breakable(code)}</code></th><td>${withCode(when)}</td></tr>`,
    );
  return `<h3>Errors</h3><table><tbody>${rows.join("")}</tbody></table>`;
}

/** Escapes a text for HTML, with code spans in backticks. */
export function withCode(text: string): string {
  return Bun.escapeHTML(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

/** Lets a long name wrap after its separators. */
function breakable(name: string): string {
  return Bun.escapeHTML(name).replaceAll(/([/._])/g, "$1<wbr>");
}

/** A field as the reference lists it. Nested fields follow their parent with its name as a prefix: "events[].title". */
type Field = { name: string; type: string; required: boolean };

/** Lists the fields of an object schema, nested ones included. */
function fieldsOf({ properties = {}, required = [] }: JsonSchema, prefix = ""): Field[] {
  return Object.entries(properties).flatMap(([key, part]) => {
    if (typeof part === "boolean") return [];
    const name = prefix === "" ? key : `${prefix}.${key}`;
    const own = { name, type: describeType(part), required: required.includes(key) };
    return [own, ...fieldsOf(part, name), ...fieldsOf(itemsOf(part), `${name}[]`)];
  });
}

/** Describes the values of a schema in a few words: "text, at most 140 characters". */
function describeType(schema: JsonSchema): string {
  const { anyOf, enum: values, type } = schema;
  if (anyOf !== undefined)
    return anyOf.map((part) => (part === true || part === false ? "" : describeType(part))).join(" or ");
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(", ");
  const defaultNote = schema.default === undefined ? "" : `; ${JSON.stringify(schema.default)} by default`;
  if (type === "string") return describeText(schema) + defaultNote;
  if (type === "integer" || type === "number") return describeNumber(schema) + defaultNote;
  if (type === "array") return `list of ${describeType(itemsOf(schema))}`;
  if (type === "boolean") return `true or false${defaultNote}`;
  return type === "null" ? "null" : "object";
}

function describeText({ format, minLength, maxLength, pattern }: JsonSchema): string {
  if (format === "date-time") return "timestamp";
  if (format === "email") return "email address";
  if (pattern !== undefined) return `text like ${pattern}`;
  if (maxLength === undefined) return "text";
  return minLength === undefined
    ? `text, at most ${maxLength} characters`
    : `text, ${minLength} to ${maxLength} characters`;
}

function describeNumber({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const noun = type === "integer" ? "whole number" : "number";
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (exclusiveMinimum !== undefined)
    return `${noun} above ${exclusiveMinimum}${isBounded ? `, at most ${maximum}` : ""}`;
  if (minimum !== undefined && isBounded) return `${noun}, ${minimum} to ${maximum}`;
  return noun;
}

function itemsOf({ items }: JsonSchema): JsonSchema {
  return typeof items === "object" && !Array.isArray(items) ? items : {};
}
