import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { readId } from "#src/http/read-id.ts";
import { requireAdmin, requireViewer } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { requireOwn } from "#src/wallet/require-own.ts";
import { findProfile } from "./find-profile.ts";
import { listUsers } from "./list-users.ts";

/** The viewer's own profile; for admins everybody's, and the list of them all. */
export function profilesRoutes(deps: Deps) {
  return new Elysia({ name: "profiles" })
    .use(visiting(deps))
    .get("/api/v1/users", ({ query, visit }) => {
      requireAdmin(visit);
      return listUsers(deps.pool.db, query, new Date());
    })
    .get("/api/v1/users/me", async ({ visit }) => ({
      user: await findProfile(deps.pool.db, requireViewer(visit).id, new Date()),
    }))
    .get("/api/v1/users/:id", async ({ params, visit }) => {
      const userId = readId(params.id);
      requireOwn(requireViewer(visit), userId);
      return { user: await findProfile(deps.pool.db, userId, new Date()) };
    });
}
