import { chapters, allEndpoints } from "./all-endpoints.ts";
import { describeEndpoint, errorResponse, type Node, templateOf } from "./describe-endpoint.ts";
import { type ErrorName, errorResponses } from "./error-responses.ts";
import { namedSchemas } from "./json-schemas.ts";

/** What is to be known before any endpoint. */
export const ABOUT = `The API that Called It's own pages use.

Bodies are JSON under the name of what they are about, \`{"call": {"spot_id": 12}}\`. Keys of requests are snake_case or
camelCase, keys of answers camelCase. Money is dollars, with a twin \`...Cents\` in whole cents beside it. Moments are ISO 8601 in
UTC. Lists take \`page\` and \`per_page\` and come with \`meta\`.

Whoever signs in at \`POST /users/sign_in\` is known by a cookie from then on. What changes something also needs the
anti-forgery token of the last answer, \`X-CSRF-Token\`, in the header of the same name.

Every error has \`error\` (for people), \`code\` (for programs) and \`requestId\`; 422 has texts by field in \`errors\`.`;

/** All of the API as a document of OpenAPI 3.1. */
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
  for (const line of allEndpoints) {
    const template = templateOf(line.endpoint);
    paths[template] = { ...paths[template], [line.endpoint.method.toLowerCase()]: describeEndpoint(line) };
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
      "Of one's own choice, new for each thing that is done. Sent again with the same body it does nothing twice.",
    schema: { type: "string", maxLength: 128 },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "The version that was read, or the ETag of that answer: where it is another one by now, nothing changes.",
    schema: { type: "string" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The ETag of the answer that one has.",
    schema: { type: "string" },
  },
};

const headers: Node = {
  RequestId: { description: "What to name when asking us about this answer.", schema: { type: "string" } },
  CsrfToken: {
    description: "The token for the next request that changes something.",
    schema: { type: "string" },
  },
  ETag: {
    description: "Names this answer; what stands before the dash is the version.",
    schema: { type: "string" },
  },
  Link: { description: "The first, last, next and previous page.", schema: { type: "string" } },
  IdempotentReplayed: {
    description: "true where the same was asked before under this key, and nothing was done now.",
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
  csrfToken: { type: "apiKey", in: "header", name: "X-CSRF-Token", description: "From the last answer." },
};
