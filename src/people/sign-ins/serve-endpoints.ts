import { Memoirist } from "memoirist";
import type { Deps } from "#src/base/deps.ts";
import {
  type AnswerOf,
  type Endpoint,
  type Method,
  partsOf,
  type Route,
  type Who,
} from "#src/http/endpoint.ts";
import type { AnyEndpointRequest, EndpointRequest } from "./read-request.ts";

/** A method type, because methods are bivariant: each handler takes only what its own endpoint provides. */
type AnyHandler = { answer(deps: Deps, request: AnyEndpointRequest): unknown }["answer"];

/** An endpoint with the handler that answers its requests over HTTP (answer-endpoint.ts) and of this process (ask-endpoint.ts). */
export type ServedEndpoint = Endpoint & { handle: AnyHandler };

/**
 * Declares an endpoint.
 * @param record its `handle` gets the checked request as the record specifies it, and returns that answer.
 */
export function endpoint<
  R extends Route,
  W extends Who,
  Judges extends true | undefined = undefined,
  const Texts extends Endpoint["params"] = undefined,
  Query extends Endpoint["query"] = undefined,
  Body extends Endpoint["body"] = undefined,
  Answer extends Endpoint["answer"] = undefined,
>(
  record: Endpoint & {
    route: R;
    who: W;
    judgesSignIn?: Judges;
    params?: Texts;
    query?: Query;
    body?: Body;
    answer?: Answer;
    handle: (
      deps: Deps,
      request: EndpointRequest<R, W, Judges, Texts, Query, Body>,
    ) => AnswerOf<Answer> | Promise<AnswerOf<Answer>>;
  },
): Omit<ServedEndpoint, "route" | "answer"> & { route: R; answer: Answer };
export function endpoint(record: ServedEndpoint): ServedEndpoint {
  return record;
}

// Decision: one table finds the endpoint of a request over HTTP, and of what a page asks in this process, which has no request of its
// own. It is the router that Elysia uses too, so a literal part takes precedence over a parameter: `/users/me` over `/users/:id`.

export type FoundEndpoint = { endpoint: ServedEndpoint; params: Record<string, string> };

/** The endpoints of a server by method and path. */
export type EndpointTable = Memoirist<ServedEndpoint>;

declare module "#src/http/request-context.ts" {
  interface RequestContext {
    /** The endpoints of the server that has received the request. */
    endpoints?: EndpointTable;
  }
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const satisfies Method[];

export function createEndpointTable(all: readonly ServedEndpoint[]): EndpointTable {
  const table: EndpointTable = new Memoirist({ onParam: decodeURIComponent });
  for (const served of all) {
    const { method, path } = partsOf(served);
    table.add(method, path, served);
  }
  return table;
}

/** Finds the endpoint that answers a method and a path without query; null if none does. HEAD is a GET. */
export function findEndpoint(
  table: EndpointTable | undefined,
  method: string,
  path: string,
): FoundEndpoint | null {
  const found = table?.find(method === "HEAD" ? "GET" : method, path.replace(/(?<=.)\/$/, "")) ?? null;
  return found === null ? null : { endpoint: found.store, params: found.params };
}

/** The methods that a path takes; none for an unknown path. */
export function methodsOf(table: EndpointTable, path: string): string[] {
  const taken = methods.filter((method) => findEndpoint(table, method, path) !== null);
  return taken.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}
