import { type Attack, INVENTED, line } from "./attack.ts";

export const traceAttacks: readonly Attack[] = [
  { name: "delete unsent facts", statements: ["DELETE FROM outbox WHERE sent_at IS NULL"] },
  {
    name: "mark facts as sent and delete them",
    statements: ["UPDATE outbox SET sent_at = now()", "DELETE FROM outbox"],
  },
  {
    name: "mark facts as sent long ago and delete them",
    statements: ["UPDATE outbox SET sent_at = now() - interval '2 hours'", "DELETE FROM outbox"],
  },
  { name: "delete the checks of the books", statements: ["DELETE FROM book_checks"] },
  {
    name: "invent an older check of the books",
    statements: [
      "INSERT INTO book_checks (checked_at, duration_ms, findings, differences_count) VALUES (now() - interval '1 day', 1, '[]', 0)",
    ],
  },
  {
    name: "invent an audit line",
    statements: [
      line("@admin", {
        action: "resolve",
        type: "event",
        subject: "@closed",
        after: { result: "true" },
        session: "@session",
      }),
    ],
  },
  {
    name: "invent a line about a user",
    statements: [line("@admin", { action: "deactivate", type: "user", subject: "@bob" })],
  },
  {
    name: "invent a line about a session",
    statements: [
      line("@admin", { action: "stop", type: "session", subject: "@session", session: "@session" }),
    ],
  },
  {
    name: "invent a line of a result beside a change that is told",
    statements: [
      `UPDATE events SET description = 'Mine' WHERE id = @draft`,
      line("@admin", {
        action: "resolve",
        type: "event",
        subject: "@draft",
        after: { result: "false" },
        session: "@session",
      }),
    ],
    found: INVENTED,
  },
  {
    name: "invent a line of an adjustment beside a change of its user",
    statements: [
      `UPDATE users SET phone = '1' WHERE id = @bob`,
      line("@admin", {
        action: "adjust_wallet",
        type: "user",
        subject: "@bob",
        after: { amountCents: 500, journalId: 1 },
      }),
    ],
    found: INVENTED,
  },
  {
    name: "invent a line about roles beside a change of its user",
    statements: [
      `UPDATE users SET phone = '1' WHERE id = @bob`,
      line("@admin", {
        action: "change_roles",
        type: "user",
        subject: "@bob",
        after: { roles: ["admin"] },
      }),
    ],
    found: INVENTED,
  },
  {
    name: "date an audit line back",
    statements: [
      `UPDATE sessions SET name = 'Mine' WHERE id = @session`,
      `INSERT INTO audit (actor_id, action, subject_type, subject_id, session_id, created_at)
        VALUES (@admin, 'update_session', 'session', @session, @session, now() - interval '1 day')`,
    ],
  },
  {
    name: "write an audit line behind the seals",
    statements: [
      `UPDATE sessions SET name = 'Mine' WHERE id = @session`,
      `INSERT INTO audit (id, actor_id, action, subject_type, subject_id, session_id) OVERRIDING SYSTEM VALUE
        VALUES (-1, @admin, 'update_session', 'session', @session, @session)`,
    ],
  },
  { name: "delete what an audit line says of a player", statements: ["DELETE FROM audit_personal"] },
  {
    name: "write a session log",
    statements: [`INSERT INTO session_log (step, kind, subject_id) VALUES (1, 'guest', @ana)`],
  },
];
