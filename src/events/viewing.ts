import { isAdmin, type Viewer } from "#src/sign-ins/viewer.ts";

/** How a viewer looks at events: with the own calls, and without plans, drafts and hidden events unless as an admin. */
export function viewingAs(viewer: Viewer | null, now: Date) {
  return { viewerId: viewer?.id ?? null, publishedOnly: !isAdmin(viewer), withPlan: isAdmin(viewer), now };
}
