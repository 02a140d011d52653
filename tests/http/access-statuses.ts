import type { Who } from "#src/http/endpoint.ts";

/** The statuses by audience: signed out, guest, player, other player, operator, admin. `x` is a caller who is let in. */
export const statuses: Record<Who, string> = {
  public: "x x x x x x",
  anyone: "x x x x x x",
  watcher: "x x x x x x",
  "signed-out": "x 409 409 409 409 409",
  "no-account": "x x 409 409 409 409",
  viewer: "401 x x x x x",
  account: "401 403 x x x x",
  host: "401 403 403 403 403 x",
  staff: "401 403 403 403 x x",
  admin: "401 403 403 403 403 x",
  self: "401 404 x 404 404 404",
  own: "401 404 x 404 404 x",
  "own-account": "401 403 x 404 404 x",
};
