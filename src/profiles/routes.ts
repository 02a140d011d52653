import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { requireViewer } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { findOwnProfile } from "./find-own-profile.ts";

/** The viewer's own profile. */
export function profilesRoutes(deps: Deps) {
  return new Elysia({ name: "profiles" }).use(visiting(deps)).get("/api/v1/users/me", async ({ visit }) => ({
    user: await findOwnProfile(deps.pool.db, requireViewer(visit), new Date()),
  }));
}
