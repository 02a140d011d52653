import { snakeCase } from "#src/http/contract.ts";
import { audiences, type Endpoint } from "#src/http/endpoint.ts";
import { escapeHtml } from "#src/http/escape-html.ts";
import { pageQuery } from "#src/http/schemas.ts";
import { scopeOf } from "#src/people/sign-ins/token-scope.ts";
import type { NamedEndpoint } from "./all-endpoints.ts";
import { describeType, type Field, fieldsOf } from "./describe-type.ts";
import { errorResponses, errorsOf, refusalDetails } from "./error-responses.ts";
import { type Example, exampleOf } from "./examples.ts";
import { bodySchema, valueSchema } from "./json-schemas.ts";

/** Renders an endpoint of the reference as a collapsible section. */
export function endpointSection({ name, endpoint }: NamedEndpoint): string {
  const { method, path, summary, who, notes } = endpoint;
  const about = notes === undefined ? "" : `<p>${withCode(notes)}</p>`;
  return `<details class="endpoint" id="${name}"><summary>
<span class="method ${method.toLowerCase()}">${method}</span><code>${breakable(path)}</code><span class="what">${escapeHtml(summary)}</span>
</summary><div class="endpoint-details">
<p class="who"><b>For</b> ${escapeHtml(audiences[who])}${tokenNote(endpoint)}</p>${about}
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

function queryFields({ query = {}, paged }: Endpoint): Field[] {
  const all = paged === true ? { ...query, ...pageQuery.entries } : query;
  return Object.entries(all).map(([name, schema]) => ({
    name: snakeCase(name),
    type: describeType(valueSchema(schema)),
    required: schema.type !== "optional",
  }));
}

function fieldsTable(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return "";
  const rows = fields.map(
    ({ name, type, required }) =>
      `<tr><th scope="row"><code>${breakable(name)}</code>${required ? " <small>required</small>" : ""}</th><td>${escapeHtml(type)}</td></tr>`,
  );
  return `<h3>${title}</h3><table><tbody>${rows.join("")}</tbody></table>`;
}

function headersList({ idempotent, versioned, etag, paged }: Endpoint): string {
  const notes = [
    idempotent === true
      ? "Takes <code>Idempotency-Key</code>: a repeated request with the same key has no further effect."
      : "",
    versioned === true ? "Takes <code>If-Match</code> with the version that the client has read." : "",
    etag === true ? "Returns an <code>ETag</code>; <code>If-None-Match</code> with it is answered 304." : "",
    paged === true ? "<code>Link</code> names the first, last, next and previous page." : "",
  ].filter((line) => line !== "");
  return notes.length === 0 ? "" : `<h3>Headers</h3><p>${notes.join("<br>")}</p>`;
}

function exampleBlocks(example: Example | undefined): string {
  if (example === undefined) return "";
  const { request, body, status, answer } = example;
  const bodyText = body === undefined ? "" : `\n\n${JSON.stringify(body, null, 2)}`;
  const text = typeof answer === "string" ? answer : JSON.stringify(answer, null, 2);
  const answerText = answer === undefined ? "" : `\n\n${text}`;
  return `<h3>Example</h3><pre tabindex="0">${escapeHtml(request + bodyText)}</pre>
<pre tabindex="0">${escapeHtml(String(status) + answerText)}</pre>`;
}

function errorsTable(endpoint: Endpoint): string {
  const general = errorsOf(endpoint).map((name) => {
    const { status, when, example } = errorResponses[name];
    return { status, code: example.code, when };
  });
  const own = Object.entries(endpoint.refusals ?? {}).map(([code, refusal]) => ({
    code,
    ...refusalDetails(refusal),
  }));
  const rows = [...general, ...own]
    .toSorted((one, other) => one.status - other.status)
    .map(
      ({ status, code, when }) =>
        `<tr><th scope="row">${status} <code>${breakable(code)}</code></th><td>${withCode(when)}</td></tr>`,
    );
  return `<h3>Errors</h3><table><tbody>${rows.join("")}</tbody></table>`;
}

/** Escapes a text for HTML, with code spans in backticks. */
export function withCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

/** Lets a long name wrap after its separators. */
function breakable(name: string): string {
  return escapeHtml(name).replaceAll(/([/._])/g, "$1<wbr>");
}
