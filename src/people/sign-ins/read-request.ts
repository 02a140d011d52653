import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import type { MaybeKeyed } from "#src/base/once.ts";
import { notFound } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { readId, readPage, readQuery, readResource } from "#src/http/check-input.ts";
import { isStorable } from "#src/http/contract.ts";
import {
  type Endpoint,
  isIdempotent,
  type OutputOf,
  type ParamsOf,
  partsOf,
  type Route,
  type Who,
} from "#src/http/endpoint.ts";
import { readIdempotencyKey, readIfMatch, REPLAYED_HEADER } from "#src/http/if-match.ts";
import type { Page } from "#src/http/list-meta.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { requireScope } from "./access-tokens.ts";
import { type Authentication, authenticate } from "./authenticate.ts";
import { authorize, authorizeOwner } from "./authorize.ts";
import { providerOnly } from "./refusal.ts";
import { requireHostOf } from "./require-host.ts";
import type { Viewer } from "./viewer.ts";

type NoViewer = "signed-out" | "public";
type OptionalViewer = "anyone" | "no-account" | "watcher";
type ViewerOf<W extends Who> = W extends NoViewer ? null : W extends OptionalViewer ? Viewer | null : Viewer;
/** Of a assumed viewer everything else may have changed. */
type AssumedViewer = Pick<Viewer, "id">;

/** Status and headers of the answer, for handlers that need others than their endpoint specifies. */
export type Reply = { status: number; headers: Record<string, string | number> };

type RequestFields<Auth, Who, Params, Query, Body> = {
  /** The request over HTTP, and its context. For what a page asks in this process they are those of the page. */
  request: Request;
  context: RequestContext;
  /** Null for a public endpoint, whose callers are not authenticated. */
  authentication: Auth;
  viewer: Who;
  params: Params;
  query: Query;
  page: Page;
  body: Body;
  /** A new key if the request has none. */
  idempotencyKey: string;
  /** The same for `once`; null if the request has none. */
  keyed: MaybeKeyed;
  /** The version in If-Match; null if the endpoint takes none or the request has none. */
  ifVersion: number | null;
  now: Date;
  set: Reply;
};

/** The request that a handler gets, checked and typed as its endpoint specifies. */
export type EndpointRequest<R extends Route, W extends Who, Judges, Texts, Query, Body> = RequestFields<
  W extends "public" ? null : Authentication,
  Judges extends true ? AssumedViewer : ViewerOf<W>,
  ParamsOf<R, Texts>,
  OutputOf<Query>,
  OutputOf<Body>
>;

type Fields = Record<string, unknown>;
export type AnyEndpointRequest = RequestFields<
  Authentication | null,
  AssumedViewer | null,
  Fields,
  Fields,
  Fields
>;

/** No user has this id: what has no viewer names the actor itself. */
const NOBODY = 0;

/** For endpoints without pages. */
const firstPage = readPage({});

/** A request as it came over HTTP, or as a page asks in this process. */
type RawRequest = {
  context: RequestContext;
  /** Those that belong to this endpoint: Idempotency-Key and If-Match. */
  headers: Headers;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
  set: Reply;
};

/**
 * Checks and reads a request as its endpoint specifies. Refuses, in this order: a program whose token is for something else (403),
 * a caller outside the audience (401, 403, 409), what OIDC_ONLY closes (403), too many requests (429), a path with an invalid id or another user's id (404), a host
 * of other sessions (403), an invalid body (400, 422), an invalid query (422), and an unknown version (409).
 */
export async function readRequest(
  deps: Deps,
  endpoint: Endpoint,
  { context, headers, params: parts, query, body, set }: RawRequest,
): Promise<AnyEndpointRequest> {
  const { who, rate } = endpoint;
  const authentication = who === "public" ? null : await authenticate(deps, context);
  if (authentication !== null && authentication.token !== null) requireScope(authentication.token, endpoint);
  const viewer = authentication === null ? null : authorize(who, authentication);
  refuseClosed(deps, endpoint);
  if (rate !== undefined && authentication !== null)
    context.rateLimits.push(...(await limitRate(deps, rate, authentication)));
  const params = readParams(parts, endpoint);
  authorizeOwner(who, viewer, params["id"]);
  const readBody = () => readResource(body, endpoint);
  const readAsked = () => (endpoint.query === undefined ? {} : readQuery(query, v.object(endpoint.query)));
  const dockOf = dockIn(authentication);
  await requireHostOf(deps, endpoint, { viewer, dockOf, params, query: readAsked, body: readBody });
  const content = readBody();
  const keyed = readKeyed(endpoint, { viewer, headers, request: { ...params, ...content }, set });
  return {
    request: context.request,
    context,
    authentication,
    viewer,
    params,
    body: content,
    query: readAsked(),
    page: endpoint.paged === true ? readPage(query) : firstPage,
    idempotencyKey: keyed?.key ?? crypto.randomUUID(),
    keyed,
    ifVersion: endpoint.versioned === true ? readIfMatch(headers) : null,
    now: serverNow(),
    set,
  };
}

/** The session of the dock that asks; null for everybody else. */
function dockIn(authentication: Authentication | null): number | null {
  return authentication?.token?.sessionId ?? null;
}

function refuseClosed({ env: { oidc } }: Pick<Deps, "env">, { byPassword }: Endpoint): void {
  if (byPassword === true && oidc?.only === true) throw providerOnly(oidc.name);
}

type Keyable = { viewer: { id: number } | null; headers: Headers; request: Fields; set: Reply };

/** The request by its Idempotency-Key, of which the answer says whether the work was done before. */
function readKeyed(endpoint: Endpoint, { viewer, headers, request, set }: Keyable): MaybeKeyed {
  if (!isIdempotent(endpoint)) return null;
  set.headers[REPLAYED_HEADER] = "false";
  const key = readIdempotencyKey(headers);
  if (key === null) return null;
  const onReplay = () => void (set.headers[REPLAYED_HEADER] = "true");
  return { actor: { id: viewer?.id ?? NOBODY }, purpose: partsOf(endpoint).path, key, request, onReplay };
}

function readParams(parts: Record<string, string>, { params: kinds = {} }: Endpoint): Fields {
  const read: Fields = {};
  for (const [name, part] of Object.entries(parts)) {
    read[name] = kinds[name] === "text" || name === "*" ? readText(part) : readId(part);
  }
  return read;
}

/** A text that the database cannot store is the name of nothing: 404. */
function readText(part: string): string {
  if (!isStorable(part)) throw notFound();
  return part;
}
