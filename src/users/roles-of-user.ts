import { sql } from "drizzle-orm";
import type { Role } from "#db/lists/users.ts";
import { userRoles } from "#db/schema/users.ts";

/** In SQL, for queries of `users`: the user's roles, sorted. */
export const rolesOfUser = sql<Role[]>`ARRAY(
  SELECT r.role FROM ${userRoles} r WHERE r.user_id = users.id ORDER BY 1)`;
