import type { DataRouteMatch, DataRouteObject } from "react-router";

// Decision: react-router compiles and tests the patterns of all pages for each path, a hundred times the work of this. Ours are
// plain: a path stands on the innermost route, and its parts are texts or parameters. So they are compared part by part, in the
// order of react-router's ranking. tests/pages/ssr/loading/match-page.test.ts compares the two for all pages and random paths.

/** Finds the routes that a path leads to, outermost first; null leaves the path to react-router. */
export type PageMatcher = (path: string) => DataRouteMatch[] | null;

/** One page: its routes, outermost first, and the parts of its path. */
type Branch = {
  routes: readonly DataRouteObject[];
  /** In lower case, because react-router ignores case; parameters are null. */
  literals: readonly (string | null)[];
  /** The names of the parameters, by their position. */
  names: readonly (string | null)[];
};

/** A path without escapes and without empty parts: nothing in it needs decoding. */
const PLAIN_PATH = /^\/(?:[\w.~-]+(?:\/[\w.~-]+)*)?$/;

/** Prepares the matching of these routes. @throws for a kind of path that only react-router can match. */
export function createPageMatcher(routes: readonly DataRouteObject[]): PageMatcher {
  const byLength = new Map<number, Branch[]>();
  for (const branch of branchesIn(routes, [])) {
    const { length } = branch.literals;
    byLength.set(length, [...(byLength.get(length) ?? []), branch]);
  }
  for (const [length, branches] of byLength) byLength.set(length, branches.toSorted(byRank));
  return (path) => {
    if (!PLAIN_PATH.test(path)) return null;
    const parts = partsOf(path);
    const lower = partsOf(path.toLowerCase());
    const branch = byLength.get(parts.length)?.find(({ literals }) => leadsTo(literals, lower));
    return branch === undefined ? null : matchesOf(branch, path, parts);
  };
}

/** The path with more texts comes first; of two equal ones the first in the list, because sorting is stable. */
function byRank({ literals: one }: Branch, { literals: other }: Branch): number {
  return other.filter((part) => part !== null).length - one.filter((part) => part !== null).length;
}

function leadsTo(literals: Branch["literals"], parts: readonly string[]): boolean {
  return literals.every((literal, index) => literal === null || literal === parts[index]);
}

/** As react-router describes them: routes without a path match the root. */
function matchesOf({ routes, names }: Branch, path: string, parts: readonly string[]): DataRouteMatch[] {
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) if (name !== null) params[name] = parts[index] ?? "";
  return routes.map((route) => {
    const pathname = route.path === undefined ? "/" : path;
    return { params, pathname, pathnameBase: pathname, route };
  });
}

function branchesIn(routes: readonly DataRouteObject[], above: readonly DataRouteObject[]): Branch[] {
  return routes.flatMap((route) => {
    const chain = [...above, route];
    return [...branchOf(chain, route), ...branchesIn(route.children ?? [], chain)];
  });
}

/** None for a route without a path, and for the one of unknown paths. */
function branchOf(routes: readonly DataRouteObject[], { path, index, children }: DataRouteObject): Branch[] {
  if (index === true) throw new Error("An index route is matched by react-router only.");
  if (path === undefined || path === "*") return [];
  if (!/^\/(?:[\w-]|\/(?!\/)|:)*$/.test(path) || children !== undefined)
    throw new Error(`The path ${path} is matched by react-router only.`);
  const parts = partsOf(path);
  return [
    {
      routes,
      literals: parts.map((part) => (part.startsWith(":") ? null : part.toLowerCase())),
      names: parts.map((part) => (part.startsWith(":") ? part.slice(1) : null)),
    },
  ];
}

/** "/users/12" -> ["users", "12"]; none for "/". */
function partsOf(path: string): string[] {
  return path === "/" ? [] : path.slice(1).split("/");
}
