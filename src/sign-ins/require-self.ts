import { notFound } from "#src/base/refusal.ts";

/** Refuses whoever means another user, admins included, as if there were none: 404. */
export function requireSelf(viewer: { id: number }, userId: number): void {
  if (viewer.id !== userId) throw notFound();
}
