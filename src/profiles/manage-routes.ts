import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { readId } from "#src/http/read-id.ts";
import { changeRoles } from "#src/users/change-roles.ts";
import { deactivateUser } from "#src/users/deactivate-user.ts";
import type { Managing } from "#src/users/manage-user.ts";
import { reactivateUser } from "#src/users/reactivate-user.ts";
import { requireAdmin } from "#src/users/require-viewer.ts";
import { unlockUser } from "#src/users/unlock-user.ts";
import { visiting } from "#src/users/visiting.ts";
import type { Visit } from "#src/users/visit.ts";
import { findProfile } from "./find-profile.ts";
import { readManaging, readRoles } from "./read-managing.ts";

type Asked = { params: { id: string }; body: unknown; visit: Visit };

/** What admins do to the accounts of others; each answers the user as it is then. */
export function manageUsersRoutes(deps: Deps) {
  const manage =
    <Order extends Managing>(
      verb: (deps: Deps, order: Order) => Promise<void>,
      read: (body: unknown, who: Pick<Managing, "userId" | "actor">) => Order,
    ) =>
    async ({ params, body, visit }: Asked) => {
      const order = read(body, { actor: requireAdmin(visit), userId: readId(params.id) });
      await verb(deps, order);
      return { user: await findProfile(deps.pool.db, order.userId, new Date()) };
    };
  return new Elysia({ name: "manage-users" })
    .use(visiting(deps))
    .put("/api/v1/users/:id/unlock", manage(unlockUser, readManaging))
    .put("/api/v1/users/:id/deactivate", manage(deactivateUser, readManaging))
    .put("/api/v1/users/:id/reactivate", manage(reactivateUser, readManaging))
    .put("/api/v1/users/:id/roles", manage(changeRoles, readRoles));
}
