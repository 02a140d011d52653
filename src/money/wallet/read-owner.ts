import type { Queryable } from "#db/client.ts";
import { requireOwn } from "#src/people/sign-ins/authorize.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireUser } from "#src/people/users/roles-of-user.ts";
import type { OwnerQuery } from "./schemas.ts";

/**
 * Reads the user whose rows a query asks for; by default the viewer.
 * @throws Refusal 404 for another user, unless the viewer is an admin; and for an unknown user.
 */
export async function readOwnerId(
  db: Queryable,
  viewer: Viewer,
  { userId = viewer.id }: OwnerQuery,
): Promise<number> {
  requireOwn(viewer, userId);
  if (userId !== viewer.id) await requireUser(db, userId);
  return userId;
}
