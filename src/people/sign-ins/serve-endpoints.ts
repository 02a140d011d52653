import { Memoirist } from "memoirist";
import { type AnswerOf, type Endpoint, type Endpoints, type Method, partsOf } from "#src/http/endpoint.ts";
import type { AnyEndpointRequest, EndpointRequest } from "./read-request.ts";

type Handlers<Table extends Endpoints> = {
  [Name in keyof Table]: Handler<Table[Name]>;
};
type Handler<E extends Endpoint> = (request: EndpointRequest<E>) => AnswerOf<E> | Promise<AnswerOf<E>>;

/**
 * Joins a room's endpoints with their handlers. They answer requests over HTTP (answer-endpoint.ts), and those that this process makes
 * to itself (ask-endpoint.ts).
 * @param handlers by endpoint name. Each gets the checked request as its endpoint specifies it, and returns that answer.
 */
export function serveEndpoints<Table extends Endpoints>(
  endpoints: Table,
  handlers: Handlers<Table>,
): ServedEndpoint[];
export function serveEndpoints(endpoints: Endpoints, handlers: Record<string, AnyHandler>): ServedEndpoint[] {
  return Object.entries(endpoints).map(([name, endpoint]) => {
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`${endpoint.route} has no handler`);
    return { endpoint, handler };
  });
}

// Decision: one table finds the endpoint of a request over HTTP, and of what a page asks in this process, which has no request of its
// own. It is the router that Elysia uses too, so a literal part takes precedence over a parameter: `/users/me` over `/users/:id`.

/** A method type, because methods are bivariant: each handler takes only what its own endpoint provides. */
export type AnyHandler = { answer(request: AnyEndpointRequest): unknown }["answer"];

export type ServedEndpoint = { endpoint: Endpoint; handler: AnyHandler };

export type FoundEndpoint = ServedEndpoint & { params: Record<string, string> };

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
    const { method, path } = partsOf(served.endpoint);
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
  return found === null ? null : { ...found.store, params: found.params };
}

/** The methods that a path takes; none for an unknown path. */
export function methodsOf(table: EndpointTable, path: string): string[] {
  const taken = methods.filter((method) => findEndpoint(table, method, path) !== null);
  return taken.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}
