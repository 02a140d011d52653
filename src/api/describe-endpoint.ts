import type { JsonSchema } from "@valibot/to-json-schema";
import { snakeCase } from "#src/http/contract.ts";
import { audiences, type Endpoint } from "#src/http/endpoint.ts";
import { pageQuery } from "#src/http/schemas.ts";
import { scopeOf } from "#src/people/sign-ins/token-scope.ts";
import type { NamedEndpoint } from "./all-endpoints.ts";
import { errorResponses, errorsOf, needsCsrfToken, refusalDetails } from "./error-responses.ts";
import { exampleOf } from "./examples.ts";
import { answerSchema, bodySchema, valueSchema } from "./json-schemas.ts";

/** A part of an OpenAPI document. */
export type Node = { [key: string]: unknown };

const ref = (kind: string, name: string): Node => ({ $ref: `#/components/${kind}/${name}` });

/** "/api/v1/calls/:id" -> "/api/v1/calls/{id}"; a final `*` becomes "{filename}". */
export function templateOf({ path }: Endpoint): string {
  return path.replaceAll(/:(\w+)/g, "{$1}").replace(/\*$/, "{filename}");
}

/** Describes an endpoint as an OpenAPI operation. */
export function describeEndpoint({ name, chapter, endpoint }: NamedEndpoint): Node {
  const { summary, notes, body, bodyOptional } = endpoint;
  const example = exampleOf(name);
  const requestBody = body && {
    required: bodyOptional !== true,
    content: { "application/json": withExample(bodySchema(body), example?.body) },
  };
  return {
    operationId: name,
    tags: [chapter],
    summary,
    description: [`For: ${audiences[endpoint.who]}`, ...(notes === undefined ? [] : [notes])].join("\n\n"),
    security: securityOf(endpoint),
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint), ...headerParameters(endpoint)],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...successOf(endpoint, example?.answer), ...refusalsOf(endpoint) },
  };
}

function withExample(schema: JsonSchema, example: unknown): Node {
  return example === undefined ? { schema } : { schema, example };
}

/**
 * Signing in takes the cookie. Requests that change something take the anti-forgery token too. Programs take an access token with
 * this scope or a wider one, and nothing else.
 */
function securityOf(endpoint: Endpoint): Node[] {
  const scope = scopeOf(endpoint);
  return [...browserSecurityOf(endpoint), ...(scope === null ? [] : [{ accessToken: [scope] }])];
}

function browserSecurityOf(endpoint: Endpoint): Node[] {
  const guard = needsCsrfToken(endpoint) ? { csrfToken: [] } : {};
  const isSignedOutOnly = ["public", "signed-out"].includes(endpoint.who);
  const isSignInOptional = ["anyone", "no-account", "watcher"].includes(endpoint.who);
  if (isSignedOutOnly) return [guard];
  return isSignInOptional ? [guard, { signIn: [], ...guard }] : [{ signIn: [], ...guard }];
}

function pathParameters(endpoint: Endpoint): Node[] {
  const names = [...templateOf(endpoint).matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return names.map((name) => ({
    name,
    in: "path",
    required: true,
    schema:
      name === "filename" || endpoint.params?.[name] === "text"
        ? { type: "string", minLength: 1 }
        : { type: "integer", minimum: 1 },
  }));
}

function queryParameters({ query = {}, paged }: Endpoint): Node[] {
  const all = paged === true ? { ...query, ...pageQuery.entries } : query;
  return Object.entries(all).map(([name, schema]) => ({
    name: snakeCase(name),
    in: "query",
    required: schema.type !== "optional",
    schema: valueSchema(schema),
  }));
}

function headerParameters({ idempotent, versioned, etag }: Endpoint): Node[] {
  return [
    ...(idempotent === true ? [ref("parameters", "IdempotencyKey")] : []),
    ...(versioned === true ? [ref("parameters", "IfMatch")] : []),
    ...(etag === true ? [ref("parameters", "IfNoneMatch")] : []),
  ];
}

function successOf(endpoint: Endpoint, example: unknown): Node {
  const { answer, status = answer === undefined ? 204 : 200, repeatedStatus } = endpoint;
  const headers = headersOf(endpoint);
  const content = contentOf(endpoint, example);
  const response = (description: string) => ({ description, headers, ...content });
  return {
    [status]: response(answer === undefined ? "Done. The answer has no body." : "Done."),
    ...(repeatedStatus === undefined
      ? {}
      : { [repeatedStatus]: response("Nothing changed: it was so already.") }),
    ...(endpoint.etag === true
      ? { 304: { description: "The cached answer that If-None-Match names is still current." } }
      : {}),
  };
}

function headersOf({ who, etag, paged, idempotent }: Endpoint): Node {
  return {
    "X-Request-Id": ref("headers", "RequestId"),
    ...(who === "public" ? {} : { "X-CSRF-Token": ref("headers", "CsrfToken") }),
    ...(etag === true ? { ETag: ref("headers", "ETag") } : {}),
    ...(paged === true ? { Link: ref("headers", "Link") } : {}),
    ...(idempotent === true ? { "Idempotent-Replayed": ref("headers", "IdempotentReplayed") } : {}),
  };
}

/** The types of files by the ends of their paths; others are pictures. */
const fileTypes: Record<string, string> = { ".csv": "text/csv", ".json": "application/json" };

function contentOf({ answer, path }: Endpoint, example: unknown): Node {
  if (answer === undefined) return {};
  if (answer !== "file")
    return { content: { "application/json": withExample(answerSchema(answer), example) } };
  const type = fileTypes[path.slice(path.lastIndexOf("."))] ?? "image/*";
  return { content: { [type]: { schema: { type: "string" } } } };
}

/** The refusals by status, because OpenAPI has one response per status. */
function refusalsOf(endpoint: Endpoint): Node {
  const documented = Object.entries(endpoint.refusals ?? {}).map(([code, refusal]) => ({
    code,
    ...refusalDetails(refusal),
  }));
  const general = errorsOf(endpoint);
  const statuses = new Set([
    ...general.map((name) => errorResponses[name].status),
    ...documented.map((one) => one.status),
  ]);
  const responses = [...statuses].map((status): [string, Node] => {
    const names = general.filter((name) => errorResponses[name].status === status);
    const own = documented.filter((one) => one.status === status);
    const [name] = names;
    if (name !== undefined && names.length === 1 && own.length === 0)
      return [String(status), ref("responses", name)];
    const sentences = [
      ...names.map((one) => errorResponses[one].when),
      ...own.map(({ code, when }) => `\`${code}\`: ${when}`),
    ];
    const examples = Object.fromEntries(names.map((one) => [one, ref("examples", one)]));
    return [String(status), errorResponse(sentences.join("\n\n"), examples)];
  });
  return Object.fromEntries(responses);
}

/** Describes a refusal as an OpenAPI response. */
export function errorResponse(description: string, examples: Node): Node {
  const withExamples = Object.keys(examples).length === 0 ? {} : { examples };
  return {
    description,
    headers: { "X-Request-Id": ref("headers", "RequestId") },
    content: { "application/json": { schema: ref("schemas", "Error"), ...withExamples } },
  };
}
