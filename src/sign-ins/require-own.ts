import { notFound } from "#src/base/refusal.ts";
import { isAdmin, type Viewer } from "./viewer.ts";

/** Refuses whoever asks for what is another user's and is no admin, as if there were none: 404. */
export function requireOwn(viewer: Viewer, userId: number): void {
  if (viewer.id !== userId && !isAdmin(viewer)) throw notFound();
}
