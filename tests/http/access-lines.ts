import { routeOf, allEndpoints } from "#src/api/all-endpoints.ts";
import type { Who } from "#src/http/endpoint.ts";
import { apiAccess } from "./api-access.ts";

/** One line of the matrix: by whom a route is asked, and what each of them is answered. */
export type AccessLine = {
  route: string;
  /** What the path names as a user is whoever asks. */
  aboutOneself: boolean;
  /** Signed out, guest, player, other player, operator, admin. */
  expected: string;
};

/** `x` is whoever is let in. */
export const answers: Record<Who, string> = {
  public: "x x x x x x",
  anyone: "x x x x x x",
  watcher: "x x x x x x",
  "signed-out": "x 409 409 409 409 409",
  "no-account": "x x 409 409 409 409",
  viewer: "401 x x x x x",
  account: "401 403 x x x x",
  staff: "401 403 403 403 x x",
  admin: "401 403 403 403 403 x",
  self: "401 404 x 404 404 404",
  own: "401 404 x 404 404 x",
  "own-account": "401 403 x 404 404 404",
};
const aboutOneself: Partial<Record<Who, Who>> = { self: "viewer", own: "viewer", "own-account": "account" };

const audienceOf = new Map(allEndpoints.map(({ endpoint }) => [routeOf(endpoint), endpoint.who]));

/** The whole matrix. */
export function accessLines(): AccessLine[] {
  return Object.entries(apiAccess).flatMap(([route, expected]) => {
    if (typeof expected === "string") return [{ route, aboutOneself: false, expected }];
    const who = audienceOf.get(route);
    if (who === undefined) throw new Error(`${route} is not in the table of endpoints`);
    const own = aboutOneself[who];
    const line = (audience: Who) => answers[audience].replaceAll("x", String(expected));
    return [
      { route, aboutOneself: false, expected: line(who) },
      ...(own === undefined ? [] : [{ route, aboutOneself: true, expected: line(own) }]),
    ];
  });
}
