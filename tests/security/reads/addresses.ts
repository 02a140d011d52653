import type { RouteObject } from "react-router";
import { routes } from "#client/app/routes.tsx";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import { valueSchema } from "#src/api/json-schemas.ts";
import { snakeCase } from "#src/http/contract.ts";
import { type Endpoint, partsOf } from "#src/http/endpoint.ts";
import type { World } from "./world.ts";

/** An address to read, and how: as a program or as a browser without JavaScript. */
export type Address = { path: string; accept: "application/json" | "text/html" };

/** Addresses that are left out, with the reason. */
const leftOut: Readonly<Record<string, string>> = { "/assets/:name": "Files of the build." };

/** Every address that answers GET: the API's endpoints, the pages, and what the server answers beside them. */
export function addressesOf(world: World, { queries }: { queries: boolean }): Address[] {
  const reads = allEndpoints.flatMap(({ endpoint }) => (endpoint.route.startsWith("GET ") ? [endpoint] : []));
  const known = new Set(reads.map((endpoint) => partsOf(endpoint).path));
  const others = world.server.routes
    .filter(({ method, path }) => method === "GET" && !known.has(path) && !(path in leftOut))
    .map(({ path }) => path);
  const json = reads.flatMap((endpoint) => {
    const paths = fill(partsOf(endpoint).path, world.parts);
    return paths.flatMap((path) => queriesOf(endpoint, world.parts, queries).map((query) => path + query));
  });
  const pages = pagePaths(routes).flatMap((path) => fill(path, world.parts));
  return [
    ...[...json, ...others].map((path) => ({ path, accept: "application/json" as const })),
    ...[...pages, ...pages.filter((path) => path.endsWith("/stage")).map((path) => `${path}?overlay=1`)].map(
      (path) => ({ path, accept: "text/html" as const }),
    ),
  ];
}

function pagePaths(within: readonly RouteObject[]): string[] {
  return within.flatMap(({ path, children = [] }) => [
    ...(path === undefined || path === "*" ? [] : [path]),
    ...pagePaths(children),
  ]);
}

/** A pattern with each of its parameters replaced by each of its values. */
function fill(pattern: string, parts: World["parts"]): string[] {
  let filled = [""];
  const names = pattern.split("/").slice(1);
  for (const [index, name] of names.entries()) {
    const values = name.startsWith(":") ? parts[names[index - 1] ?? ""] : [name === "*" ? "file.png" : name];
    if (values === undefined) throw new Error(`Give ${name} of ${pattern} a value in world.ts`);
    filled = filled.flatMap((path) => values.map((value) => `${path}/${value}`));
  }
  return filled;
}

/** No query, and with `queries` each parameter of the endpoint with each value that means something. */
function queriesOf({ query = {}, paged }: Endpoint, parts: World["parts"], queries: boolean): string[] {
  const all = paged === true ? "?per_page=100" : "";
  const needsSession =
    "sessionId" in query ? (parts["sessions"] ?? []).map((slug) => `?session_id=${slug}`) : [];
  if (!queries) return [all, ...needsSession];
  const named: Record<string, string[] | undefined> = {
    sessionId: parts["sessions"],
    eventId: parts["events"],
    userId: parts["users"],
    search: ["qz"],
    name: ["qz"],
    sessionKey: parts["sessions"],
  };
  const each = Object.entries(query).flatMap(([name, entry]) => {
    const values = named[name] ?? optionsOf(valueSchema(entry));
    return values.map((value) => `?${snakeCase(name)}=${encodeURIComponent(value)}`);
  });
  return [all, ...each];
}

function optionsOf({ enum: options = [], type }: ReturnType<typeof valueSchema>): string[] {
  return type === "boolean" ? ["true", "false"] : options.map(String);
}
