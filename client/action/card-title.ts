import type { View } from "./view.ts";

/** What the card asks, or says where there is nothing to ask. */
export function cardTitle({ table, event, phase }: Pick<View, "table" | "event" | "phase">): string {
  if (event !== null) return event.title;
  if (phase === "pending") return `${table.session.name} has not started yet`;
  if (phase === "stopped") return "That was it. Thank you for calling.";
  return phase === "paused" ? "The host has paused the session" : "The next action is on its way";
}
