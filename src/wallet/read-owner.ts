import { requireOwn } from "#src/sign-ins/require-own.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import type { OwnerQuery } from "./schemas.ts";

/**
 * Whose wallet a query asks about: the viewer's own where it does not say.
 * @throws Refusal 404 for somebody else's, unless an admin asks.
 */
export function readOwner(viewer: Viewer, { userId = viewer.id }: OwnerQuery): number {
  requireOwn(viewer, userId);
  return userId;
}
