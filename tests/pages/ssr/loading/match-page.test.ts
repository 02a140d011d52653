import { expect, test } from "bun:test";
import { createStaticHandler, type DataRouteMatch, type DataRouteObject, matchRoutes } from "react-router";
import { routes } from "#client/app/routes.tsx";
import { createPageMatcher } from "#src/pages/ssr/match-page.ts";
import { pageAccess } from "#tests/http/page-access.ts";
import { dice } from "#tests/support/dice.ts";

const SEED = 20_261_122;
const RANDOM_PATHS = 4_000;
/** What random paths are made of: every word in the paths, other texts, and what is odd. */
const ODD_PARTS = [
  "12",
  "friday-derby",
  "NEW",
  "Users",
  "a.b~c",
  "",
  "%20",
  "%2F",
  "%",
  "é",
  ":id",
  "*",
  "+",
  "a b",
  "?",
];

const { dataRoutes } = createStaticHandler(routes);
const matchPage = createPageMatcher(dataRoutes);
const patterns = [...new Set(Object.keys(pageAccess).map((key) => key.split(" ")[1] ?? ""))];
const words = [...new Set(patterns.flatMap((pattern) => pattern.split("/")))];

/** What two matchers must agree on: the same routes, the same parameters. */
function describeMatches(matches: readonly DataRouteMatch[] | null) {
  return matches?.map(({ params, pathname, pathnameBase, route }) => ({
    id: route.id,
    params: { ...params },
    pathname,
    pathnameBase,
  }));
}

/** Checks that a path is matched as by react-router, or left to it. @returns whether it was matched. */
function check(path: string): boolean {
  const matches = matchPage(path);
  if (matches === null) return false;
  expect([path, describeMatches(matches)]).toEqual([path, describeMatches(matchRoutes(dataRoutes, path))]);
  return true;
}

test("the path of every page is matched, with and without its parameters filled in", () => {
  for (const pattern of patterns) {
    for (const value of ["12", "friday-derby", "new", "A_b.c~d"]) {
      expect([pattern, check(pattern.replaceAll(/:\w+/g, value))]).toEqual([pattern, true]);
    }
  }
});

test("random paths are matched as react-router matches them, or left to it", () => {
  const random = dice(SEED);
  const parts = [...words, ...words, ...ODD_PARTS];
  let matched = 0;
  for (let index = 0; index < RANDOM_PATHS; index += 1) {
    const length = random(6);
    const path = `/${Array.from({ length }, () => parts[random(parts.length)]).join("/")}`;
    if (check(path)) matched += 1;
  }
  expect(matched).toBeGreaterThan(RANDOM_PATHS / 20);
});

test("escapes, empty parts and unknown paths are left to react-router", () => {
  const odd = [
    "/sessions/",
    "//sessions",
    "/sessions//new",
    "/users/%31",
    "/sessions/%C3%A9",
    "/nothing",
    "/a/b/c/d",
  ];
  expect(odd.map((path) => matchPage(path))).toEqual(odd.map(() => null));
});

test("a kind of path that only react-router matches is refused at the start", () => {
  const kinds: DataRouteObject[] = [
    { id: "1", path: "/sessions/:slug?" },
    { id: "2", path: "/files/*" },
    { id: "3", path: "relative" },
    { id: "4", index: true },
    { id: "5", path: "/above", children: [{ id: "6", path: "/above/below" }] },
  ];
  for (const route of kinds) {
    expect(() => createPageMatcher([route])).toThrow("is matched by react-router only");
  }
});
