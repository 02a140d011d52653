import { expect, test } from "bun:test";
import { matchRoutes, type RouteObject } from "react-router";
import { routes } from "#client/app/routes.tsx";
import { matchPage } from "#src/pages/ssr/run-page.ts";

const pathsOf = (all: readonly RouteObject[]): string[] =>
  all.flatMap(({ path, children = [] }) => [
    ...(path === undefined || path === "*" ? [] : [path]),
    ...pathsOf(children),
  ]);
/** Of addresses: one with ids, and one in which an id is the last word of another address. */
const words = ["7", ...new Set(pathsOf(routes).map((path) => path.split("/").at(-1) ?? ""))];

test.each(pathsOf(routes))(
  "the table of pages leads from an address such as %s where react-router does",
  (pattern) => {
    for (const word of words.filter((each) => each !== "" && !each.startsWith(":")))
      for (const end of ["", "/"]) {
        const path = `${pattern.replaceAll(/:\w+/g, word)}${pattern === "/" ? "" : end}`;
        const last = matchRoutes(routes, path)?.at(-1);
        expect([path, matchPage(path).screen ?? undefined]).toEqual([path, last?.route.handle ?? undefined]);
      }
  },
);
