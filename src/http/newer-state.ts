import * as v from "valibot";
import { STALE_VERSION } from "./if-match.ts";
import { pathOf } from "./page-request.ts";
import { shareRequestContext } from "./request-context.ts";
import { errorBody } from "./schemas.ts";

/** The one thing that a path is about: of `/api/v1/events/12/advance` the event. */
const THING = /^\/api\/v1\/\w+\/[^/]+/;
const CONFLICT = 409;

/**
 * Where a change was refused because it was based on an older version, the answer also says how the thing stands now, as
 * whoever asked may read it: `current: { session: ... }`. Any other answer stays as it is.
 * @param ask the server itself.
 */
export async function addNewerState(
  request: Request,
  response: Response,
  ask: (request: Request) => Promise<Response | undefined>,
): Promise<Response> {
  const thing = THING.exec(pathOf(request))?.[0];
  if (response.status !== CONFLICT || thing === undefined) return response;
  const { status, headers } = response;
  const body: unknown = await response.json();
  if (!v.is(errorBody, body) || body.code !== STALE_VERSION) return Response.json(body, { status, headers });
  const reading = new Request(new URL(thing, request.url), { headers: { accept: "application/json" } });
  shareRequestContext({ from: request, to: reading });
  const read = await ask(reading);
  const current: unknown = read?.ok === true ? await read.json() : undefined;
  return Response.json({ ...body, current }, { status, headers });
}
