import { type Attacks, found, INVENTED, line, refused } from "./attack.ts";

export const traceAttacks: Attacks = {
  "delete unsent facts": refused("DELETE FROM outbox WHERE sent_at IS NULL"),
  "mark facts as sent and delete them": refused("UPDATE outbox SET sent_at = now()", "DELETE FROM outbox"),
  "mark facts as sent long ago and delete them": refused(
    "UPDATE outbox SET sent_at = now() - interval '2 hours'",
    "DELETE FROM outbox",
  ),
  "invent an older check of the books": refused(
    "INSERT INTO book_checks (checked_at, duration_ms, findings, differences_count) VALUES (now() - interval '1 day', 1, '[]', 0)",
  ),
  "invent an audit line": refused(
    line("@admin", {
      action: "resolve",
      type: "event",
      subject: "@closed",
      after: { result: "true" },
      session: "@session",
    }),
  ),
  "invent a line about a user": refused(
    line("@admin", { action: "deactivate", type: "user", subject: "@bob" }),
  ),
  "invent a line about a session": refused(
    line("@admin", { action: "stop", type: "session", subject: "@session", session: "@session" }),
  ),
  "invent a line of a result beside a change that is told": found(
    INVENTED,
    `UPDATE events SET description = 'Mine' WHERE id = @draft`,
    line("@admin", {
      action: "resolve",
      type: "event",
      subject: "@draft",
      after: { result: "false" },
      session: "@session",
    }),
  ),
  "invent a line of an adjustment beside a change of its user": found(
    INVENTED,
    `UPDATE users SET phone = '1' WHERE id = @bob`,
    line("@admin", {
      action: "adjust_wallet",
      type: "user",
      subject: "@bob",
      after: { amountCents: 500, journalId: 1 },
    }),
  ),
  "invent a line about roles beside a change of its user": found(
    INVENTED,
    `UPDATE users SET phone = '1' WHERE id = @bob`,
    line("@admin", { action: "change_roles", type: "user", subject: "@bob", after: { roles: ["admin"] } }),
  ),
  "date an audit line back": refused(
    `UPDATE sessions SET name = 'Mine' WHERE id = @session`,
    `INSERT INTO audit (actor_id, action, subject_type, subject_id, session_id, created_at)
        VALUES (@admin, 'update_session', 'session', @session, @session, now() - interval '1 day')`,
  ),
  "write an audit line behind the seals": refused(
    `UPDATE sessions SET name = 'Mine' WHERE id = @session`,
    `INSERT INTO audit (id, actor_id, action, subject_type, subject_id, session_id) OVERRIDING SYSTEM VALUE
        VALUES (-1, @admin, 'update_session', 'session', @session, @session)`,
  ),
  "write a session log": refused(
    `INSERT INTO session_log (step, kind, subject_id) VALUES (1, 'guest', @ana)`,
  ),
};
