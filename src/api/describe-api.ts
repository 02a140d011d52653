import { chapters, allEndpoints } from "./all-endpoints.ts";
import { describeEndpoint, errorResponse, type Node, templateOf } from "./describe-endpoint.ts";
import { type ErrorName, errorResponses } from "./error-responses.ts";
import { namedSchemas } from "./json-schemas.ts";

/** The introduction of the reference. Markdown: paragraphs and code spans. */
export const ABOUT = `The API that Called It's own pages use.

Bodies are JSON under the resource's name, \`{"call": {"spot_id": 12}}\`. Request keys are snake_case or camelCase, answer
keys are camelCase. Money is in dollars, with the same amount in whole cents beside it as \`...Cents\`. Timestamps are ISO 8601
in UTC. Lists take \`page\` and \`per_page\` and return \`meta\`.

\`POST /users/sign_in\` sets a cookie that identifies the user. Requests that change something also need the anti-forgery
token: send the \`X-CSRF-Token\` header of the last answer in the header of the same name. Programs send an access token instead.

Every error has \`error\` (for people), \`code\` (for programs) and \`requestId\`. A 422 also has messages by field in
\`errors\`.`;

/** Describes the whole API as an OpenAPI 3.1 document. */
export function describeApi(): Node {
  return {
    openapi: "3.1.0",
    info: { title: "Called It", version: "1", summary: "A live prediction game.", description: ABOUT },
    servers: [{ url: "/" }],
    tags: chapters.map(({ title, about }) => ({ name: title, description: about })),
    paths: describePaths(),
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
    const template = templateOf(named.endpoint);
    paths[template] = { ...paths[template], [named.endpoint.method.toLowerCase()]: describeEndpoint(named) };
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
    headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" }, "Retry-After": retryAfter },
  };
}

function exampleOfError(name: ErrorName): Node {
  return { value: { ...errorResponses[name].example, requestId: "7d3c2a51-4b0e-4f0a-9a55-0a8a6d1f7c11" } };
}

const parameters: Node = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A text of the client's choice, new for each operation. Sending the same request again with it has no further effect.",
    schema: { type: "string", maxLength: 128 },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "The version that the client has read, or the ETag of that answer. If the current version is another one, nothing changes (409).",
    schema: { type: "string" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The ETag of the answer that the client has cached.",
    schema: { type: "string" },
  },
};

const headers: Node = {
  RequestId: {
    description: "Identifies this request in questions to the operator.",
    schema: { type: "string" },
  },
  CsrfToken: {
    description: "The token for the next request that changes something.",
    schema: { type: "string" },
  },
  ETag: {
    description: "Identifies this answer. The part before the dash is the version.",
    schema: { type: "string" },
  },
  Link: {
    description: "The addresses of the first, last, next and previous page.",
    schema: { type: "string" },
  },
  IdempotentReplayed: {
    description: "true if the same request was made before under this key, and nothing was done now.",
    schema: { type: "string", enum: ["true", "false"] },
  },
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
