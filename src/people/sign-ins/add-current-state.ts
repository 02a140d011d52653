import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { STALE_VERSION } from "#src/http/if-match.ts";
import { pathOf } from "#src/http/page-request.ts";
import { errorBody } from "#src/http/schemas.ts";
import { readCurrentState } from "./ask-endpoint.ts";

const CONFLICT = 409;

/**
 * Adds the record's current state, as the caller may read it, to the answer of a change that was refused because of a stale
 * version: `current: { session: ... }`. Any other answer is returned unchanged.
 */
export async function addCurrentState(deps: Deps, request: Request, response: Response): Promise<Response> {
  if (response.status !== CONFLICT || !pathOf(request).startsWith("/api/")) return response;
  const { status, headers } = response;
  const body: unknown = await response.json();
  if (!v.is(errorBody, body) || body.code !== STALE_VERSION) return Response.json(body, { status, headers });
  const current = await readCurrentState(deps, request, pathOf(request));
  return Response.json({ ...body, current }, { status, headers });
}
