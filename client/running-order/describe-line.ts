import { countOf } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import { say } from "#src/http/contract.ts";
import type { AuditLineView } from "#src/show/sessions/schemas.ts";
import { formatDrift } from "./schedule.ts";

const asResult = (result: string) => `as ${result}`;

/** An audit line without its subject: "Ana resolved", "Ana (Scoreboard) resolved", "The clock closed". */
export function describeLine({
  actor,
  action,
  after,
}: Pick<AuditLineView, "actor" | "action" | "after">): string {
  return [nameOf(actor), verbs[action] ?? action.replaceAll("_", " "), details(action, after)]
    .filter(Boolean)
    .join(" ");
}

/** A program with an access token acts for the one who made the token, and a dock for the one who made its link. */
function nameOf(actor: AuditLineView["actor"]): string {
  if (actor === null) return "The clock";
  if (actor.dock === true) return say`Dock of ${actor.username}`;
  return actor.token === null ? actor.username : say`${actor.username} (${actor.token})`;
}

const verbs: Record<string, string> = {
  generate_session: "generated the session",
  publish_event: "published",
  open_event: "opened",
  close_event: "closed",
  resolve: "resolved",
  note_result: "noted the result",
  prolong_delay: "got more time to take back",
  withdraw: "took the result back",
  reset: "reset",
  hide: "hid",
  show: "showed",
  destroy: "deleted",
  create_event: "added",
  remind_uncalled: "reminded those who had not called",
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
  take_back_start: "took the session back to the lobby",
  take_back_stop: "undid the stop",
  activate: "sent players here",
  approve_message: "let a message on the big screen",
  destroy_message: "removed a message",
  mute: "muted a player",
  deactivate: "stopped sending players here",
  exclude: "excluded a player from the leaders",
  readmit: "ranked a player again",
  recompute_scores: "recounted the scores",
  show_leaders: "put the leaders on the big screen",
  leave_leaders: "took the leaders off the big screen",
  renew_stage_link: "made a new stage link",
  make_access_token: "made a link or an access token",
  revoke_access_token: "revoked a link or an access token",
  renew_join_code: "made a new join code",
  remove_player: "removed a player",
  remove_wave: "removed a wave of players",
  restore_wave: "let a wave of players in again",
  add_session_host: "added a host",
  remove_session_host: "removed a host",
  start_process: "saw the start of",
  stop_process: "saw the stop of",
  refuse_start: "saw a refused start of",
};

/** Details of acts that have some: the result, the length of a delay, or what came back to who did it. */
function details(action: string, after: AuditLineView["after"]): string {
  const { result, pendingResult, shiftMs, takenBackCents, playersCount } = after;
  if (typeof playersCount === "number") return `(${countOf(playersCount, "player")})`;
  if (typeof takenBackCents === "number") return `(own calls of ${formatMoney(takenBackCents)} taken back)`;
  if (action === "resolve" && typeof result === "string") return asResult(result);
  if (action === "note_result" && typeof pendingResult === "string") return asResult(pendingResult);
  return action === "delay" && typeof shiftMs === "number" ? `by ${formatDrift(shiftMs)}` : "";
}
