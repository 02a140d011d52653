import { requireOwn } from "#src/sign-ins/require-viewer.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import type { OwnerQuery } from "./schemas.ts";

/**
 * Reads the user whose rows a query asks for; by default the viewer.
 * @throws Refusal 404 for another user, unless the viewer is an admin.
 */
export function readOwnerId(viewer: Viewer, { userId = viewer.id }: OwnerQuery): number {
  requireOwn(viewer, userId);
  return userId;
}
