import type { Deps } from "#src/base/deps.ts";
import { readQuery } from "#src/http/check-input.ts";
import { partsOf, statusOf } from "#src/http/endpoint.ts";
import { finishAnswer, readStable } from "#src/http/finish-answer.ts";
import { FILE_LIMIT, readJson, WEBHOOK_BYTES_MAX } from "#src/http/read-body.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { pageQuery } from "#src/http/schemas.ts";
import type { Route } from "./handle-request.ts";
import { readRequest, type Reply } from "./read-request.ts";
import type { FoundEndpoint } from "./serve-endpoints.ts";

const rawBytesMax = { file: FILE_LIMIT.bytes, message: WEBHOOK_BYTES_MAX } as const;

/** What answers a request over HTTP by its endpoint, as the record of that says. */
export function endpointRoute(deps: Deps, context: RequestContext, found: FoundEndpoint): Route {
  const { skipsSignIn = false, judgesSignIn = false, raw } = found.endpoint;
  return {
    answer: () => answerEndpoint(deps, context, found),
    pattern: partsOf(found.endpoint).path,
    skipsSignIn,
    judgesSignIn,
    ...(raw === undefined ? {} : { proof: "other", bytesMax: rawBytesMax[raw] }),
  };
}

/** Refuses what the endpoint refuses, and a body that is no JSON (see readJson). */
async function answerEndpoint(
  deps: Deps,
  context: RequestContext,
  { endpoint, params }: FoundEndpoint,
): Promise<Response> {
  const { request } = context;
  const body = endpoint.raw === undefined ? await readJson(context, endpoint.bodyMax) : null;
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const set: Reply = { status: statusOf(endpoint), headers: {} };
  const asked = await readRequest(deps, endpoint, {
    context,
    headers: request.headers,
    params,
    query,
    body,
    set,
  });
  const counted = endpoint.newestFirst === true ? readQuery(query, pageQuery).counted : undefined;
  const read = await readStable(asked, counted, (each) => endpoint.handle(deps, each));
  const answer = finishAnswer(read, endpoint, { request, set });
  const response = responseWith(answer, set);
  return request.method === "HEAD" ? withoutBody(response) : response;
}

/** The answer with the status and the headers of its reply. What a handler's own Response says counts more. */
function responseWith(answer: unknown, { status, headers }: Reply): Response {
  const response = answer instanceof Response ? answer : jsonOf(answer, status);
  for (const [name, value] of Object.entries(headers))
    if (!response.headers.has(name)) response.headers.set(name, String(value));
  return response;
}

function jsonOf(answer: unknown, status: number): Response {
  return answer === undefined ? new Response(null, { status }) : Response.json(answer, { status });
}

async function withoutBody(response: Response): Promise<Response> {
  const { status, headers } = response;
  headers.set("content-length", String((await response.arrayBuffer()).byteLength));
  return new Response(null, { status, headers });
}
