import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import type { AnswerOf, Endpoint, Endpoints } from "#src/http/endpoint.ts";
import { finishAnswer } from "#src/http/finish-answer.ts";
import { readQuery } from "#src/http/read-query.ts";
import { requestContextOf } from "#src/http/request-context.ts";
import { pageQuery } from "#src/http/schemas.ts";
import { readStable } from "#src/http/stable-pages.ts";
import { addEndpoint, type AnyHandler } from "./endpoint-table.ts";
import { type EndpointRequest, readRequest } from "./read-request.ts";

type Handlers<Table extends Endpoints> = {
  [Name in keyof Table]: Handler<Table[Name]>;
};
type Handler<E extends Endpoint> = (request: EndpointRequest<E>) => AnswerOf<E> | Promise<AnswerOf<E>>;

/**
 * Registers the handlers of a room's endpoints: for requests over HTTP, and for those that this process makes to itself
 * (ask-endpoint.ts).
 * @param handlers by endpoint name. Each gets the checked request as its endpoint specifies it, and returns that answer.
 */
export function serveEndpoints<Table extends Endpoints>(
  deps: Deps,
  endpoints: Table,
  handlers: Handlers<Table>,
): Elysia;
export function serveEndpoints(
  deps: Deps,
  endpoints: Endpoints,
  handlers: Record<string, AnyHandler>,
): Elysia {
  const plugin = new Elysia();
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`${endpoint.method} ${endpoint.path} has no handler`);
    addEndpoint(deps, { endpoint, handler });
    const status = endpoint.status ?? (endpoint.answer === undefined ? 204 : 200);
    plugin.route(endpoint.method, endpoint.path, async ({ request, params, query, body, set }) => {
      const { headers } = request;
      requestContextOf(request).route = endpoint.path;
      const raw = { request, headers, params, query, body, set };
      const endpointRequest = await readRequest(deps, endpoint, raw);
      set.status = status;
      const counted = endpoint.newestFirst === true ? readQuery(query, pageQuery).counted : undefined;
      const answer = await readStable(endpointRequest, counted, handler);
      return finishAnswer(answer, endpoint, { request, set });
    });
  }
  return plugin;
}
