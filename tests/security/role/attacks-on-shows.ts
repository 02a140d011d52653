import { type Attack, line } from "./attack.ts";

const clock = (moment: string) => `SELECT set_config('called_it.clock', (${moment})::text, true)`;
const place = (user: string, event: string, wager = 100) =>
  `SELECT * FROM place_calls(ARRAY[${user}]::bigint[], ARRAY[(SELECT id FROM spots WHERE event_id = ${event} AND side = 'true')]::bigint[],
    ARRAY[${wager}]::bigint[], ARRAY['attack'])`;

export const showAttacks: readonly Attack[] = [
  {
    name: "date a call before its event by the clock",
    statements: [
      clock("now() - interval '2 hours'"),
      place("@bob", "@open"),
      "SELECT 1 / (SELECT count(*) FILTER (WHERE placed_at < now() - interval '1 hour') FROM calls)",
    ],
  },
  {
    name: "call after the close by the clock",
    statements: [
      clock("now() + interval '2 hours'"),
      `SELECT 1 / (SELECT count(*) FROM close_due_events(ARRAY[@open]::bigint[], ARRAY[0], ARRAY[NULL]::bigint[]))`,
    ],
  },
  {
    name: "swap the labels of a question with calls",
    statements: [
      `UPDATE events SET true_label = false_label, false_label = true_label WHERE id = @open`,
      line("@admin", { action: "update_event", type: "event", subject: "@open", session: "@session" }),
    ],
  },
  {
    name: "turn a question with calls round",
    statements: [
      `UPDATE events SET title = 'Will it not?' WHERE id = @closed`,
      line("@admin", { action: "update_event", type: "event", subject: "@closed", session: "@session" }),
    ],
  },
  {
    name: "rename a question without calls, and tell nobody",
    statements: [`UPDATE events SET title = 'Mine' WHERE id = @unplayed`],
  },
  {
    name: "hide a question, and tell nobody",
    statements: [`UPDATE events SET state = 'closed' WHERE id = @unplayed`],
  },
  {
    name: "decide a result without settling it",
    statements: [`UPDATE events SET state = 'resolved', result = 'true' WHERE id = @closed`],
  },
  {
    name: "settle and decide, and tell nobody",
    statements: [
      `SELECT settle_event_calls(@closed, 'false', @admin, NULL, NULL)`,
      `UPDATE events SET state = 'resolved', result = 'false' WHERE id = @closed`,
    ],
  },
  {
    name: "correct a result by the ledger alone",
    statements: [`SELECT settle_event_calls(@resolved, 'false', @admin, NULL, 'Mine')`],
  },
  {
    name: "plan a result, and tell nobody",
    statements: [`UPDATE events SET auto_result = 'false' WHERE id = @draft`],
  },
  {
    name: "close an event at another time than now",
    statements: [
      `SELECT * FROM close_events(ARRAY[@unplayed]::bigint[], ARRAY[NULL]::bigint[], now() - interval '1 hour', NULL, NULL, NULL)`,
    ],
  },
  {
    name: "resolve an event at another time than now",
    statements: [
      `SELECT * FROM resolve_events(ARRAY[@closed]::bigint[], ARRAY[NULL]::bigint[], ARRAY['true'], ARRAY[NULL]::timestamptz[],
        ARRAY['Mine'], ARRAY[NULL]::bigint[], NULL, now() + interval '1 hour')`,
    ],
  },
  {
    name: "close the calls of an open event",
    statements: [`SELECT close_calls(ARRAY[@open]::bigint[])`],
    found: "closed calls on an open event",
  },
  {
    name: "refund the calls of an event without a cause",
    statements: [`SELECT * FROM refund_active(@closed, 'skip')`],
    found: "calls refunded after the close without a cause",
  },
  {
    name: "take a player's call away without an audit line",
    statements: [`SELECT destroy_call(@openCall)`],
    found: "calls refunded after the close without a cause",
  },
  {
    name: "move the close of an event before its calls",
    statements: [
      `UPDATE events SET closes_at = (SELECT min(placed_at) FROM calls WHERE event_id = @closed) WHERE id = @closed`,
      line("@admin", { action: "update_event", type: "event", subject: "@closed", session: "@session" }),
    ],
    found: "calls placed after the close",
  },
  {
    name: "move the close of an open event into the past",
    statements: [
      `UPDATE events SET closes_at = now() - interval '1 hour' WHERE id = @open`,
      line("@admin", { action: "update_event", type: "event", subject: "@open", session: "@session" }),
    ],
  },
  {
    name: "move the opening of an event behind its calls",
    statements: [
      `UPDATE events SET opened_at = now() + interval '1 hour' WHERE id = @open`,
      line("@admin", { action: "update_event", type: "event", subject: "@open", session: "@session" }),
    ],
    found: "calls dated before their event or before earlier calls",
  },
  {
    name: "refund late calls by another cut-off than the settlement's",
    statements: [
      `UPDATE events SET effective_at = now() - interval '1 hour' WHERE id = @resolved`,
      line("@admin", { action: "update_event", type: "event", subject: "@resolved", session: "@session" }),
    ],
    found: "events whose result is not the live settlement",
  },
  {
    name: "show another winner",
    statements: [
      `UPDATE spots SET won = NOT won WHERE event_id = @resolved`,
      line("@admin", { action: "update_event", type: "event", subject: "@resolved", session: "@session" }),
    ],
    found: "spots that do not show the result",
  },
  {
    name: "better a score",
    statements: [`UPDATE scores SET wins = wins + 1 WHERE user_id = @bob`],
    found: "scores",
  },
  {
    name: "better a result",
    statements: [`UPDATE results SET net_cents = 1 WHERE user_id = @bob`],
    found: "results",
  },
  { name: "delete a score", statements: [`DELETE FROM scores WHERE user_id = @ana`], found: "scores" },
  {
    name: "keep an event from everybody by a lock token of next year",
    statements: [
      `SELECT check_fence('event', @open, ((extract(epoch FROM now()) + 31536000) * 1000000)::bigint)`,
    ],
  },
];
