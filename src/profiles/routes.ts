import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { readBody } from "#src/http/read-body.ts";
import { readId } from "#src/http/read-id.ts";
import { requireSelf } from "#src/users/require-self.ts";
import { requireAccount, requireAdmin, requireViewer } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { requireOwn } from "#src/users/require-own.ts";
import { profileChange } from "./contract.ts";
import { findProfile } from "./find-profile.ts";
import { listUsers } from "./list-users.ts";
import { updateProfile } from "./update-profile.ts";

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
    })
    .patch("/api/v1/users/:id", async ({ params, body, visit }) => {
      const viewer = requireAccount(visit);
      requireSelf(viewer, readId(params.id));
      await updateProfile(deps, viewer, readBody(body, "user", profileChange));
      return { user: await findProfile(deps.pool.db, viewer.id, new Date()) };
    });
}
