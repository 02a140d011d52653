import type { Deps } from "#src/base/deps.ts";
import { notFound, Refusal } from "#src/base/refusal.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { readRequest } from "./read-request.ts";
import { findEndpoint } from "./serve-endpoints.ts";

/** A request to an endpoint, with the values that an HTTP request would carry. */
export type Question = {
  method: string;
  /** Without a query. */
  path: string;
  /** Texts by name, in camelCase or snake_case. */
  query?: Record<string, string>;
  /** A JSON value; undefined without a body. */
  body?: unknown;
  headers?: Record<string, string>;
};

const NO_HEADERS = new Headers();
/** The record that a path is about: `/api/v1/events/12/advance` -> `/api/v1/events/12`. */
const RESOURCE_PATH = /^\/api\/v1\/\w+\/[^/]+/;

/**
 * Calls the handler of an endpoint for a request that this server is answering, without HTTP. The caller is that of the request:
 * audience, rates, bodies and versions are checked as for a request over HTTP, and cookies that are set go with its answer.
 * @param context of the request that is being answered. It has passed the check against forgery.
 * @returns what the handler returns; undefined for an endpoint without an answer.
 * Refuses what the endpoint refuses, and 404 for a path that leads to no endpoint.
 */
export async function askEndpoint(
  deps: Deps,
  context: RequestContext,
  { method, path, query = {}, body, headers }: Question,
): Promise<unknown> {
  const found = findEndpoint(context.endpoints, method, path);
  if (found === null) throw notFound();
  const { endpoint, params } = found;
  const raw = {
    context,
    headers: headers === undefined ? NO_HEADERS : new Headers(headers),
    params,
    query,
    body: body ?? null,
    set: { status: 200, headers: {} },
  };
  return endpoint.handle(deps, await readRequest(deps, endpoint, raw));
}

/**
 * Reads the record that a path is about, as the caller of the request may read it: `{ session: ... }`. Undefined if they may not,
 * or if the path is about none.
 */
export async function readCurrentState(deps: Deps, context: RequestContext, path: string): Promise<unknown> {
  const resourcePath = RESOURCE_PATH.exec(path)?.[0];
  if (resourcePath === undefined) return undefined;
  try {
    return await askEndpoint(deps, context, { method: "GET", path: resourcePath });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
