import { type Attacks, found, line, refused } from "./attack.ts";

const clock = (moment: string) => `SELECT set_config('called_it.clock', (${moment})::text, true)`;
const place = (user: string, event: string, wager = 100) =>
  `SELECT p.* FROM (SELECT id FROM spots WHERE event_id = ${event} AND side = 'true') s, lock_for_calls(ARRAY[${user}]::bigint[], ARRAY[s.id]) l,
    place_gated_calls(ARRAY[${user}]::bigint[], ARRAY[s.id], ARRAY[${wager}]::bigint[], ARRAY['attack'], ARRAY[false], l.gated) p`;

export const showAttacks: Attacks = {
  "date a call before its event by the clock": refused(
    clock("now() - interval '2 hours'"),
    place("@bob", "@open"),
    "SELECT 1 / (SELECT count(*) FILTER (WHERE placed_at < now() - interval '1 hour') FROM calls)",
  ),
  "call after the close by the clock": refused(
    clock("now() + interval '2 hours'"),
    `SELECT 1 / (SELECT count(*) FROM close_due_events(ARRAY[@open]::bigint[], ARRAY[0], ARRAY[NULL]::bigint[]))`,
  ),
  "swap the labels of a question with calls": refused(
    `UPDATE events SET true_label = false_label, false_label = true_label WHERE id = @open`,
    line("@admin", { action: "update_event", type: "event", subject: "@open", session: "@session" }),
  ),
  "turn a question with calls round": refused(
    `UPDATE events SET title = 'Will it not?' WHERE id = @closed`,
    line("@admin", { action: "update_event", type: "event", subject: "@closed", session: "@session" }),
  ),
  "rename a question without calls, and tell nobody": refused(
    `UPDATE events SET title = 'Mine' WHERE id = @unplayed`,
  ),
  "hide a question, and tell nobody": refused(`UPDATE events SET state = 'closed' WHERE id = @unplayed`),
  "decide a result without settling it": refused(
    `UPDATE events SET state = 'resolved', result = 'true' WHERE id = @closed`,
  ),
  "settle and decide, and tell nobody": refused(
    `SELECT settle_event_calls(@closed, 'false', @admin, NULL, NULL)`,
    `UPDATE events SET state = 'resolved', result = 'false' WHERE id = @closed`,
  ),
  "correct a result by the ledger alone": refused(
    `SELECT settle_event_calls(@resolved, 'false', @admin, NULL, 'Mine')`,
  ),
  "plan a result, and tell nobody": refused(`UPDATE events SET auto_result = 'false' WHERE id = @draft`),
  "close an event at another time than now": refused(
    `SELECT * FROM close_events(ARRAY[@unplayed]::bigint[], ARRAY[NULL]::bigint[], now() - interval '1 hour', NULL, NULL, NULL)`,
  ),
  "resolve an event at another time than now":
    refused(`SELECT * FROM resolve_events(ARRAY[@closed]::bigint[], ARRAY[NULL]::bigint[], ARRAY['true'], ARRAY[NULL]::timestamptz[],
        ARRAY['Mine'], ARRAY[NULL]::bigint[], NULL, now() + interval '1 hour')`),
  "close the calls of an open event": found(
    "closed calls on an open event",
    `SELECT close_calls(ARRAY[@open]::bigint[])`,
  ),
  "refund the calls of an event without a cause": found(
    "calls refunded after the close without a cause",
    `SELECT * FROM refund_active(@closed, 'skip')`,
  ),
  "take a player's call away without an audit line": found(
    "calls refunded after the close without a cause",
    `SELECT destroy_call(@openCall)`,
  ),
  "move the close of an event before its calls": found(
    "calls placed after the close",
    `UPDATE events SET closes_at = (SELECT min(placed_at) FROM calls WHERE event_id = @closed) WHERE id = @closed`,
    line("@admin", { action: "update_event", type: "event", subject: "@closed", session: "@session" }),
  ),
  "move the close of an open event into the past": refused(
    `UPDATE events SET closes_at = now() - interval '1 hour' WHERE id = @open`,
    line("@admin", { action: "update_event", type: "event", subject: "@open", session: "@session" }),
  ),
  "move the opening of an event behind its calls": found(
    "calls dated before their event or before earlier calls",
    `UPDATE events SET opened_at = now() + interval '1 hour' WHERE id = @open`,
    line("@admin", { action: "update_event", type: "event", subject: "@open", session: "@session" }),
  ),
  "refund late calls by another cut-off than the settlement's": found(
    "events whose result is not the live settlement",
    `UPDATE events SET effective_at = now() - interval '1 hour' WHERE id = @resolved`,
    line("@admin", { action: "update_event", type: "event", subject: "@resolved", session: "@session" }),
  ),
  "show another winner": found(
    "spots that do not show the result",
    `UPDATE spots SET won = NOT won WHERE event_id = @resolved`,
    line("@admin", { action: "update_event", type: "event", subject: "@resolved", session: "@session" }),
  ),
  "keep an event from everybody by a lock token of next year": refused(
    `SELECT check_fence('event', @open, ((extract(epoch FROM now()) + 31536000) * 1000000)::bigint)`,
  ),
};
