import type { EventView } from "#src/show/events/schemas.ts";
import type { Show } from "../show-context.ts";

/** Who decided an event's result; null for the viewer, for a timer, and for somebody whose name the page does not have. */
export function nameOfDecider(
  { hosting, audit }: Pick<Show, "hosting" | "audit">,
  { plan }: EventView,
  viewerId: number | undefined,
): string | null {
  const id = plan?.decided?.byId ?? null;
  if (id === null || id === viewerId) return null;
  const host = hosting.others.find(({ userId }) => userId === id);
  return host?.username ?? audit.find(({ actor }) => actor?.id === id)?.actor?.username ?? null;
}
