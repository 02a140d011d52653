import { sql } from "drizzle-orm";
import { userRoles } from "#db/schema/users.ts";
import type { Role } from "#src/sign-ins/contract.ts";

/** In SQL, in a query of `users`: the roles of the user, in their order. */
export const rolesOfUser = sql<Role[]>`ARRAY(
  SELECT r.role FROM ${userRoles} r WHERE r.user_id = users.id ORDER BY 1)`;
