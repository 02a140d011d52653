import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import type { BodyOf, Endpoint, ParamsOf, QueryOf, Who } from "#src/http/endpoint.ts";
import { readIdempotencyKey } from "#src/http/idempotency-key.ts";
import { readIfMatch } from "#src/http/if-match.ts";
import type { Page } from "#src/http/list-meta.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { readId } from "#src/http/read-id.ts";
import { readPage, readQuery } from "#src/http/read-query.ts";
import { readResource } from "#src/http/read-resource.ts";
import { type Authentication, authenticate } from "./authenticate.ts";
import { authorize, authorizeOwner } from "./authorize.ts";
import type { Viewer } from "./viewer.ts";

type Nobody = "signed-out" | "public";
type Perhaps = "anyone" | "no-account" | "watcher";
type ViewerOf<W extends Who> = W extends Nobody ? null : W extends Perhaps ? Viewer | null : Viewer;

/** Status and headers of the answer, where a handler has more to say of them than its line. */
type Reply = { status?: number | string; headers: Record<string, string | number> };

type AskedFor<Seen, Who, Params, Query, Body> = {
  request: Request;
  /** Null where nobody is looked at. */
  visit: Seen;
  viewer: Who;
  params: Params;
  query: Query;
  /** Which rows of the list. */
  page: Page;
  body: Body;
  /** A new one where the request has none. */
  idempotencyKey: string;
  /** The version that If-Match names; null where the line takes none, or the request has none. */
  ifVersion: number | null;
  now: Date;
  set: Reply;
};

/** What a handler is given: all of it checked, as its line says. */
export type EndpointRequest<E extends Endpoint> = AskedFor<
  E["who"] extends "public" ? null : Authentication,
  ViewerOf<E["who"]>,
  ParamsOf<E>,
  QueryOf<E>,
  BodyOf<E>
>;

type Read = Record<string, unknown>;
export type AnyEndpointRequest = AskedFor<Authentication | null, Viewer | null, Read, Read, Read>;

/** Where a line has no pages. */
const firstPage = readPage({});

/** What Elysia knows of a request. */
export type RawRequest = {
  request: Request;
  /** Nothing for a path without any. */
  params: Record<string, string> | undefined;
  query: Record<string, unknown>;
  body: unknown;
  set: Reply;
};

/**
 * Reads a request as the line of its endpoint says. Refuses, in this order: whoever it is not for (401, 403, 409), what comes
 * too often (429), a path that names nothing, or another's (404), a body (400, 422) and a query (422) that do not fit, a version
 * that is none (409).
 */
export async function readRequest(
  deps: Deps,
  endpoint: Endpoint,
  { request, params: parts, query, body, set }: RawRequest,
): Promise<AnyEndpointRequest> {
  const { who, rate } = endpoint;
  const visit = who === "public" ? null : await authenticate(deps, request);
  const viewer = visit === null ? null : authorize(who, visit);
  if (rate !== undefined && visit !== null) await limitRate(deps, rate, visit);
  const params = readParams(parts, endpoint);
  authorizeOwner(who, viewer, params["id"]);
  return {
    request,
    visit,
    viewer,
    params,
    body: readResource(body, endpoint),
    query: endpoint.query === undefined ? {} : readQuery(query, v.object(endpoint.query)),
    page: endpoint.paged === true ? readPage(query) : firstPage,
    idempotencyKey: endpoint.idempotent === true ? readIdempotencyKey(request.headers) : "",
    ifVersion: endpoint.versioned === true ? readIfMatch(request.headers) : null,
    now: new Date(),
    set,
  };
}

function readParams(parts: Record<string, string> = {}, { params: kinds = {} }: Endpoint): Read {
  const read: Read = {};
  for (const [name, part] of Object.entries(parts)) {
    read[name] = kinds[name] === "text" || name === "*" ? part : readId(part);
  }
  return read;
}
