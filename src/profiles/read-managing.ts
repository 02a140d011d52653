import { readBody } from "#src/http/read-body.ts";
import { changeRolesBody, manageUserBody, type Role } from "#src/users/contract.ts";
import type { Managing } from "#src/users/manage-user.ts";

type Who = Pick<Managing, "userId" | "actor">;

const nothing = { user: {} };

/**
 * Reads `{user: {reason}}`; the body may be left out.
 * @throws Refusal 400 and 422 for a body that does not fit.
 */
export function readManaging(body: unknown, who: Who): Managing {
  const { reason } = readBody(body ?? nothing, "user", manageUserBody);
  return { ...who, reason: reason ?? null };
}

/** The same with the roles: `{user: {roles: ["admin"], reason}}`. */
export function readRoles(body: unknown, who: Who): Managing & { roles: Role[] } {
  const { reason, roles } = readBody(body, "user", changeRolesBody);
  return { ...who, reason: reason ?? null, roles };
}
