import * as v from "valibot";
import { STALE_VERSION } from "./if-match.ts";
import { pathOf } from "./page-request.ts";
import { shareRequestContext } from "./request-context.ts";
import { errorBody } from "./schemas.ts";

/** The record that a path is about: `/api/v1/events/12/advance` -> `/api/v1/events/12`. */
const RESOURCE_PATH = /^\/api\/v1\/\w+\/[^/]+/;
const CONFLICT = 409;

/**
 * Adds the record's current state, as the caller may read it, to the answer of a change that was refused because of a stale
 * version: `current: { session: ... }`. Any other answer is returned unchanged.
 * @param handle the server's own handler.
 */
export async function addCurrentState(
  request: Request,
  response: Response,
  handle: (request: Request) => Promise<Response | undefined>,
): Promise<Response> {
  const resourcePath = RESOURCE_PATH.exec(pathOf(request))?.[0];
  if (response.status !== CONFLICT || resourcePath === undefined) return response;
  const { status, headers } = response;
  const body: unknown = await response.json();
  if (!v.is(errorBody, body) || body.code !== STALE_VERSION) return Response.json(body, { status, headers });
  const readRequest = new Request(new URL(resourcePath, request.url), {
    headers: { accept: "application/json" },
  });
  shareRequestContext({ from: request, to: readRequest });
  const read = await handle(readRequest);
  const current: unknown = read?.ok === true ? await read.json() : undefined;
  return Response.json({ ...body, current }, { status, headers });
}
