import type { JsonSchema } from "@valibot/to-json-schema";
import { snakeCase } from "#src/http/contract.ts";
import { audiences, type Endpoint, isIdempotent, partsOf, statusOf } from "#src/http/endpoint.ts";
import { scopeOf } from "#src/people/sign-ins/access-tokens.ts";
import { ID_HEADER, SIGNATURE_HEADER, standardHeaders, TYPE_HEADER } from "#src/webhooks/contract.ts";
import { allEndpoints, chapters, type NamedEndpoint } from "./all-endpoints.ts";
import { describeWebhooks } from "./describe-messages.ts";
import {
  type ErrorName,
  errorResponses,
  errorsOf,
  needsCsrfToken,
  ownErrorsOf,
  queryOf,
} from "./error-responses.ts";
import { exampleOf } from "./examples.ts";
import { answerSchema, bodySchema, namedSchemas, valueSchema } from "./json-schemas.ts";

/** The introduction of the reference. Markdown: paragraphs and code spans. */
export const ABOUT = `The API that Called It's own pages use.

Bodies are JSON under the resource's name, \`{"call": {"spot_id": 12}}\`. Request keys are snake_case or camelCase, answer
keys are camelCase. Money is in dollars, with the same amount in whole cents beside it as \`...Cents\`. Timestamps are ISO 8601
in UTC. Lists take \`page\` and \`per_page\` and return \`meta\`.

\`POST /users/sign_in\` sets a cookie that identifies the user. Requests that change something also need the anti-forgery
token: send the \`X-CSRF-Token\` header of the last answer in the header of the same name. Programs send an access token instead.

Every error has \`error\` (for people), \`code\` (for programs) and \`requestId\`. A 422 also has messages by field in
\`errors\`.`;

const ref = (kind: string, name: string): Node => ({ $ref: `#/components/${kind}/${name}` });

/** The types of files by the ends of their paths; others are pictures. */
const fileTypes: Record<string, string> = {
  ".csv": "text/csv",
  ".json": "application/json",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

export function describeApi(): Node {
  return {
    openapi: "3.1.0",
    info: { title: "Called It", version: "1", summary: "A live prediction game.", description: ABOUT },
    servers: [{ url: "/" }],
    tags: chapters.map(({ title, about }) => ({ name: title, description: about })),
    paths: describePaths(),
    webhooks: describeWebhooks(webhookHeaders),
    components: {
      schemas: namedSchemas(),
      responses: Object.fromEntries(errorNames.map((name) => [name, describeError(name)])),
      examples: Object.fromEntries(errorNames.map((name) => [name, exampleOfError(name)])),
      parameters,
      headers,
      securitySchemes,
    },
  };
}

function describePaths(): Node {
  const paths: Record<string, Node> = {};
  for (const named of allEndpoints) {
    const { method, path } = partsOf(named.endpoint);
    const template = templateOf(path);
    paths[template] = { ...paths[template], [method.toLowerCase()]: describeEndpoint(named) };
  }
  return paths;
}

const isErrorName = (name: string): name is ErrorName => Object.hasOwn(errorResponses, name);
const errorNames = Object.keys(errorResponses).filter(isErrorName);

function describeError(name: ErrorName): Node {
  const examples = { [name]: { $ref: `#/components/examples/${name}` } };
  const response = errorResponse(errorResponses[name].when, examples);
  if (name !== "TooOften" && name !== "Unavailable") return response;
  const retryAfter = { description: "Seconds.", schema: { type: "integer", minimum: 1 } };
  return {
    ...response,
    headers: {
      "X-Request-Id": ref("headers", "RequestId"),
      "Retry-After": retryAfter,
      ...(name === "TooOften" ? rateHeaders : {}),
    },
  };
}

function exampleOfError(name: ErrorName): Node {
  return { value: { ...errorResponses[name].example, requestId: "7d3c2a51-4b0e-4f0a-9a55-0a8a6d1f7c11" } };
}

const text = (description: string, more: Node = {}) => ({
  description,
  schema: { type: "string", ...more },
});
const parameter = (name: string, description: string, more?: Node) => ({
  name,
  in: "header",
  ...text(description, more),
});

const parameters: Node = {
  IdempotencyKey: parameter(
    "Idempotency-Key",
    "A text of the client's choice, new for each operation. Sending the same request again with it has no further effect.",
    { maxLength: 128 },
  ),
  IfMatch: parameter(
    "If-Match",
    "The version that the client has read, or the ETag of that answer. If the current version is another one, nothing changes (409).",
  ),
  IfNoneMatch: parameter("If-None-Match", "The ETag of the answer that the client has cached."),
};

const webhookHeaders = [
  parameter(standardHeaders.id, "The id of the message, the same for each attempt."),
  parameter(standardHeaders.timestamp, "When this attempt was made, in Unix seconds."),
  parameter(standardHeaders.signature, "`v1,<base64>` by each valid secret, as Standard Webhooks says."),
  parameter(ID_HEADER, "The same id."),
  parameter(TYPE_HEADER, "What has happened, such as `Event/resolve`."),
  parameter(SIGNATURE_HEADER, "`t=<Unix seconds>,v1=<hex>` by each valid secret."),
];

const headers: Node = {
  RequestId: text("Identifies this request in questions to the operator."),
  CsrfToken: text("The token for the next request that changes something."),
  ETag: text("Identifies this answer. The part before the dash is the version."),
  RateLimit: text(
    'What is left of each limit, and in how many seconds it begins again: `"call:account";r=598;t=41`.',
  ),
  RateLimitPolicy: text(
    'How many requests each limit allows, within how many seconds: `"call:account";q=600;w=60`.',
  ),
  Link: text("The addresses of the first, last, next and previous page."),
  IdempotentReplayed: text(
    "true if the same request was made before under this key, and nothing was done now.",
    { enum: ["true", "false"] },
  ),
};

/** Of an answer that a rate limit has counted. */
const rateHeaders: Node = {
  RateLimit: ref("headers", "RateLimit"),
  "RateLimit-Policy": ref("headers", "RateLimitPolicy"),
};

const securitySchemes: Node = {
  signIn: {
    type: "apiKey",
    in: "cookie",
    name: "called_it",
    description: "Set by POST /users/sign_in. Over https its name begins with `__Host-`.",
  },
  accessToken: {
    type: "http",
    scheme: "bearer",
    description:
      "An access token of an admin: `ci_...`. Its scope is `read` or `run`; `run` includes `read`.",
  },
  csrfToken: { type: "apiKey", in: "header", name: "X-CSRF-Token", description: "From the last answer." },
};

type Node = { [key: string]: unknown };

/** "/api/v1/calls/:id" -> "/api/v1/calls/{id}"; a final `*` becomes "{filename}". */
function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}").replace(/\*$/, "{filename}");
}

function describeEndpoint({ name, chapter, endpoint }: NamedEndpoint): Node {
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
  const names = [...templateOf(partsOf(endpoint).path).matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
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

function queryParameters(endpoint: Endpoint): Node[] {
  return Object.entries(queryOf(endpoint)).map(([name, schema]) => ({
    name: snakeCase(name),
    in: "query",
    required: schema.type !== "optional",
    schema: valueSchema(schema),
  }));
}

function headerParameters(endpoint: Endpoint): Node[] {
  const { versioned, etag } = endpoint;
  return [
    ...(isIdempotent(endpoint) ? [ref("parameters", "IdempotencyKey")] : []),
    ...(versioned === true ? [ref("parameters", "IfMatch")] : []),
    ...(etag === true ? [ref("parameters", "IfNoneMatch")] : []),
  ];
}

function successOf(endpoint: Endpoint, example: unknown): Node {
  const { answer, repeatedStatus } = endpoint;
  const headers = headersOf(endpoint);
  const content = contentOf(endpoint, example);
  const response = (description: string) => ({ description, headers, ...content });
  return {
    [statusOf(endpoint)]: response(answer === undefined ? "Done. The answer has no body." : "Done."),
    ...(repeatedStatus === undefined
      ? {}
      : { [repeatedStatus]: response("Nothing changed: it was so already.") }),
    ...(endpoint.etag === true
      ? { 304: { description: "The cached answer that If-None-Match names is still current." } }
      : {}),
  };
}

function headersOf(endpoint: Endpoint): Node {
  const { who, etag, paged, rate } = endpoint;
  return {
    ...(rate === undefined ? {} : rateHeaders),
    "X-Request-Id": ref("headers", "RequestId"),
    ...(who === "public" ? {} : { "X-CSRF-Token": ref("headers", "CsrfToken") }),
    ...(etag === true ? { ETag: ref("headers", "ETag") } : {}),
    ...(paged === true ? { Link: ref("headers", "Link") } : {}),
    ...(isIdempotent(endpoint) ? { "Idempotent-Replayed": ref("headers", "IdempotentReplayed") } : {}),
  };
}

function contentOf({ answer, route }: Endpoint, example: unknown): Node {
  if (answer === undefined) return {};
  if (answer !== "file")
    return { content: { "application/json": withExample(answerSchema(answer), example) } };
  const type = fileTypes[route.slice(route.lastIndexOf("."))] ?? "image/*";
  return { content: { [type]: { schema: { type: "string" } } } };
}

/** The refusals by status, because OpenAPI has one response per status. */
function refusalsOf(endpoint: Endpoint): Node {
  const documented = ownErrorsOf(endpoint);
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

function errorResponse(description: string, examples: Node): Node {
  const withExamples = Object.keys(examples).length === 0 ? {} : { examples };
  return {
    description,
    headers: { "X-Request-Id": ref("headers", "RequestId") },
    content: { "application/json": { schema: ref("schemas", "Error"), ...withExamples } },
  };
}
