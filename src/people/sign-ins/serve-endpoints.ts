import type { AnswerOf, Endpoint, Endpoints } from "#src/http/endpoint.ts";
import type { AnyHandler, ServedEndpoint } from "./endpoint-table.ts";
import type { EndpointRequest } from "./read-request.ts";

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
    if (handler === undefined) throw new Error(`${endpoint.method} ${endpoint.path} has no handler`);
    return { endpoint, handler };
  });
}
