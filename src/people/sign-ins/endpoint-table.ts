import type { Deps } from "#src/base/deps.ts";
import type { Endpoint } from "#src/http/endpoint.ts";
import type { AnyEndpointRequest } from "./read-request.ts";

/** A method type, because methods are bivariant: each handler takes only what its own endpoint provides. */
export type AnyHandler = { answer(request: AnyEndpointRequest): unknown }["answer"];

/** An endpoint and its handler. */
export type ServedEndpoint = { endpoint: Endpoint; handler: AnyHandler };

/** A served endpoint and the parameters in the path that led to it, decoded. */
type FoundEndpoint = ServedEndpoint & { params: Record<string, string> };

/** The endpoints whose paths share their first parts. */
type Node = {
  literals: Map<string, Node>;
  parameter: Node | null;
  /** The endpoint of the path that ends here. */
  served: ServedEndpoint | null;
};

/** By method. */
type EndpointTable = Map<string, Node>;

const tables = new WeakMap<Deps, EndpointTable>();

/** Adds an endpoint to those of this server, which findEndpoint finds. Paths that end with `*` are files, and are left out. */
export function addEndpoint(deps: Deps, served: ServedEndpoint): void {
  const { method, path } = served.endpoint;
  if (path.endsWith("*")) return;
  const table: EndpointTable = tables.get(deps) ?? new Map();
  tables.set(deps, table);
  let node = table.get(method) ?? createNode();
  table.set(method, node);
  for (const part of path.split("/")) node = part.startsWith(":") ? parameterOf(node) : literalOf(node, part);
  node.served = served;
}

/**
 * Finds the endpoint of this server that answers a method and a path without query; null if none does. As in Elysia, a literal
 * part takes precedence over a parameter: `/users/me` over `/users/:id`.
 */
export function findEndpoint(deps: Deps, method: string, path: string): FoundEndpoint | null {
  const parts = path.split("/");
  const served = findServed(deps, method, parts);
  return served === null ? null : { ...served, params: paramsIn(served.endpoint.path, parts) };
}

/** Whether the endpoint of a request judges the sign-in of its caller itself. */
export function judgesSignIn(deps: Deps, method: string, path: string): boolean {
  return findServed(deps, method, path.split("/"))?.endpoint.judgesSignIn === true;
}

/** How large the body of a request may be, if its endpoint has a limit of its own. */
export function findBodyMax(deps: Deps, method: string, path: string): Endpoint["bodyMax"] {
  return findServed(deps, method, path.split("/"))?.endpoint.bodyMax;
}

/** The pattern of a path, such as `/api/v1/events/:id`; null if no endpoint has it. */
export function findPattern(deps: Deps, method: string, path: string): string | null {
  return findServed(deps, method, path.split("/"))?.endpoint.path ?? null;
}

function findServed(deps: Deps, method: string, parts: readonly string[]): ServedEndpoint | null {
  const root = tables.get(deps)?.get(method);
  return root === undefined ? null : findBelow(root, parts, 0);
}

function findBelow(node: Node, parts: readonly string[], index: number): ServedEndpoint | null {
  const part = parts[index];
  if (part === undefined) return node.served;
  const literal = node.literals.get(part);
  const found = literal === undefined ? null : findBelow(literal, parts, index + 1);
  if (found !== null || node.parameter === null || part === "") return found;
  return findBelow(node.parameter, parts, index + 1);
}

function paramsIn(pattern: string, parts: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  if (!pattern.includes(":")) return params;
  for (const [index, name] of pattern.split("/").entries()) {
    if (name.startsWith(":")) params[name.slice(1)] = decodeURIComponent(parts[index] ?? "");
  }
  return params;
}

function createNode(): Node {
  return { literals: new Map(), parameter: null, served: null };
}

function literalOf(node: Node, part: string): Node {
  const child = node.literals.get(part) ?? createNode();
  node.literals.set(part, child);
  return child;
}

function parameterOf(node: Node): Node {
  node.parameter ??= createNode();
  return node.parameter;
}
