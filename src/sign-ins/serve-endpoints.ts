import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import type { AnswerOf, Endpoint, Endpoints } from "#src/http/endpoint.ts";
import { tagRead } from "#src/http/tag-read.ts";
import { type EndpointRequest, type AnyEndpointRequest, readRequest } from "./read-request.ts";

type Handlers<Table extends Endpoints> = {
  [Name in keyof Table]: Handler<Table[Name]>;
};
type Handler<E extends Endpoint> = (asked: EndpointRequest<E>) => AnswerOf<E> | Promise<AnswerOf<E>>;
/** A method, because each handler asks for no more than its own line gives it. */
type AnyHandler = { answer(asked: AnyEndpointRequest): unknown }["answer"];

/**
 * Hangs a handler on each endpoint of a room.
 * @param handlers by the endpoints' names; each is given what its line says, checked, and answers what it says.
 */
export function serveEndpoints<Table extends Endpoints>(
  deps: Deps,
  table: Table,
  handlers: Handlers<Table>,
): Elysia;
export function serveEndpoints(deps: Deps, table: Endpoints, handlers: Record<string, AnyHandler>): Elysia {
  const plugin = new Elysia();
  for (const [name, endpoint] of Object.entries(table)) {
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`nothing answers ${endpoint.method} ${endpoint.path}`);
    const status = endpoint.status ?? (endpoint.answer === undefined ? 204 : 200);
    plugin.route(endpoint.method, endpoint.path, async ({ request, params, query, body, set }) => {
      const asked = await readRequest(deps, endpoint, { request, params, query, body, set });
      set.status = status;
      return tagRead(await handler(asked), endpoint, { request, set });
    });
  }
  return plugin;
}
