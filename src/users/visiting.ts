import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { visitOf } from "./visit.ts";

/** Puts `visit` into the context of the routes of the plugin that uses this. */
export function visiting(deps: Deps) {
  return new Elysia({ name: "visiting" }).resolve({ as: "scoped" }, async ({ request }) => ({
    visit: await visitOf(deps, request),
  }));
}
