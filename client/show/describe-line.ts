import type { AuditLineView } from "#src/sessions/schemas.ts";
import { formatDrift } from "./schedule.ts";

/** An audit line without its subject: "Ana resolved", "The clock closed". */
export function describeLine({ actor, action, after }: AuditLineView): string {
  const who = actor === null ? "The clock" : actor.username;
  return [who, verbs[action] ?? action.replaceAll("_", " "), details(action, after)]
    .filter(Boolean)
    .join(" ");
}

const verbs: Record<string, string> = {
  generate_session: "generated the session",
  publish_event: "published",
  open_event: "opened",
  close_event: "closed",
  resolve: "resolved",
  note_result: "noted the result",
  withdraw: "took the result back",
  reset: "reset",
  hide: "hid",
  show: "showed",
  destroy: "deleted",
  create_event: "added",
  update_event: "changed",
  destroy_call: "took back a call on",
  advance: "advanced",
  skip: "skipped",
  delay: "delayed",
  reorder_events: "changed the order",
  create_session: "made the session",
  update_session: "changed the session",
  start: "started the session",
  pause: "paused the session",
  resume: "resumed the session",
  stop: "stopped the session",
  activate: "took players here",
  destroy_message: "removed a message",
  mute: "muted a player",
  deactivate: "no longer takes players here",
  exclude: "excluded a player from the leaders",
  readmit: "ranked a player again",
  recompute_scores: "counted the scores anew",
};

/** Details of acts that have some: the result, or the length of a delay. */
function details(action: string, after: AuditLineView["after"]): string {
  const { result, pendingResult, shiftMs } = after;
  if (action === "resolve" && typeof result === "string") return `as ${result}`;
  if (action === "note_result" && typeof pendingResult === "string") return `as ${pendingResult}`;
  return action === "delay" && typeof shiftMs === "number" ? `by ${formatDrift(shiftMs)}` : "";
}
