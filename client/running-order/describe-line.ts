import type { AuditLineView } from "#src/show/sessions/schemas.ts";
import { formatDrift } from "./schedule.ts";
import * as texts from "./show-texts.ts";

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

/** A program with an access token acts for the one who made the token. */
function nameOf(actor: AuditLineView["actor"]): string {
  if (actor === null) return texts.clockActor;
  return actor.token === null ? actor.username : texts.withToken(actor.username, actor.token);
}

const verbs: Record<string, string> = {
  generate_session: texts.generatedSession,
  publish_event: texts.published,
  open_event: texts.opened,
  close_event: texts.closed,
  resolve: texts.resolved,
  note_result: texts.notedResult,
  prolong_delay: texts.prolongedDelay,
  withdraw: texts.tookBackResult,
  reset: texts.didReset,
  hide: texts.hid,
  show: texts.showed,
  destroy: texts.deleted,
  create_event: texts.added,
  update_event: texts.changed,
  destroy_call: texts.tookBackCall,
  advance: texts.advanced,
  skip: texts.skipped,
  delay: texts.delayed,
  reorder_events: texts.reordered,
  create_session: texts.madeSession,
  update_session: texts.changedSession,
  start: texts.startedSession,
  pause: texts.pausedSession,
  resume: texts.resumedSession,
  stop: texts.stoppedSession,
  activate: texts.activatedSession,
  approve_message: texts.approvedMessage,
  destroy_message: texts.removedMessage,
  mute: texts.mutedPlayer,
  deactivate: texts.deactivatedSession,
  exclude: texts.excludedPlayer,
  readmit: texts.readmittedPlayer,
  recompute_scores: texts.recountedScores,
  renew_stage_link: texts.renewedStageLink,
  renew_join_code: texts.renewedJoinCode,
  remove_player: texts.removedPlayer,
  add_session_host: texts.addedHost,
  remove_session_host: texts.removedHost,
};

/** Details of acts that have some: the result, the length of a delay, or what came back to who did it. */
function details(action: string, after: AuditLineView["after"]): string {
  const { result, pendingResult, shiftMs, takenBackCents } = after;
  if (typeof takenBackCents === "number") return texts.withOwnCalls(takenBackCents);
  if (action === "resolve" && typeof result === "string") return texts.asResult(result);
  if (action === "note_result" && typeof pendingResult === "string") return texts.asResult(pendingResult);
  return action === "delay" && typeof shiftMs === "number" ? texts.byTime(formatDrift(shiftMs)) : "";
}
