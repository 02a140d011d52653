import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryRow } from "#db/ledger/query.ts";
import { tableGrants } from "#db/roles/grants.ts";
import { figure } from "#tests/prove/figure.ts";
import { line, withIds } from "#tests/security/role/attack.ts";
import { attempt } from "#tests/security/role/attempt.ts";
import {
  deletesOf,
  insertsOf,
  listColumns,
  rows,
  updatesOf,
} from "#tests/security/role/generated-attacks.ts";
import { buildWorld } from "#tests/security/role/world.ts";

// The attacks of role.test.ts on more rows, and random sequences of the changes that the role has a right to, with audit lines that tell
// of some of them: none of these changes what matters unnoticed.
rows.tried = 6;
await import("#tests/security/role/role.test.ts");

const SEQUENCES = 500;

/**
 * What nobody but the ledger and the verbs changes: money, calls and what they mean, results, roles, who signs in, and the checks of the
 * books that have found something. The role may add a check (unnoticed.ts): the ones before it stay.
 */
const whatMatters = sql`SELECT md5(concat(
  (SELECT string_agg(a::text, ';' ORDER BY id) FROM (SELECT id, kind, posted_cents, held_cents FROM accounts) a),
  (SELECT string_agg(c::text, ';' ORDER BY id) FROM calls c), (SELECT string_agg(e::text, ';' ORDER BY id) FROM entries e),
  (SELECT string_agg(j::text, ';' ORDER BY id) FROM journal j), (SELECT string_agg(s::text, ';' ORDER BY id) FROM settlements s),
  (SELECT string_agg(r::text, ';' ORDER BY event_id, user_id) FROM results r),
  (SELECT string_agg(s::text, ';' ORDER BY user_id, session_id) FROM scores s),
  (SELECT string_agg(r::text, ';' ORDER BY user_id, role) FROM user_roles r),
  (SELECT string_agg(concat(id, email, password_hash, robot), ';' ORDER BY id) FROM users WHERE NOT guest),
  (SELECT string_agg(concat(id, title, description, true_label, false_label, round, result, effective_at), ';' ORDER BY id)
    FROM events e WHERE EXISTS (SELECT 1 FROM calls c WHERE c.event_id = e.id)),
  (SELECT string_agg(concat(s.id, s.won), ';' ORDER BY s.id) FROM spots s JOIN calls c ON c.spot_id = s.id),
  (SELECT string_agg(concat(id, kind, payload), ';' ORDER BY id) FROM outbox WHERE id <= (SELECT max(id) FROM calls)),
  (SELECT string_agg(k::text, ';' ORDER BY id) FROM book_checks k
    WHERE differences_count > 0 AND xmin <> pg_current_xact_id()::xid),
  (SELECT count(*) FROM audit_personal))) AS digest`;
const digestOf = async (db: Queryable) =>
  (await queryRow(db, v.object({ digest: v.string() }))`${whatMatters}`).digest;

test("no sequence of changes that the role has a right to changes what matters unnoticed", async () => {
  const { owner, application, ids } = await buildWorld();
  const columns = await listColumns(owner);
  const changes = Array.from({ length: rows.tried }, (_, place) => [
    ...updatesOf(columns, place),
    ...deletesOf(columns, place),
    ...insertsOf(columns, place),
  ]).flat();
  const allowed = changes.filter(({ table, column, statement }) =>
    (tableGrants[table] ?? []).some(
      (right) =>
        (statement.startsWith(right.slice(0, 6)) && right.length === 6) ||
        (column !== "" &&
          right
            .replaceAll(/[(),\n]/g, " ")
            .split(" ")
            .includes(column)),
    ),
  );
  const tell = [
    "UPDATE sessions SET updated_at = now() WHERE id = @session",
    line("@admin", { action: "update_session", type: "session", subject: "@session", session: "@session" }),
    ...["@ana", "@bob", "@admin"].flatMap((id) => [
      `UPDATE users SET updated_at = now() WHERE id = ${id}`,
      line("@admin", { action: "change_profile", type: "user", subject: id }),
    ]),
  ].map((statement) => withIds(statement, ids));
  const before = await digestOf(owner.db);
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...allowed), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (chosen, told) => {
        const statements = [...(told ? tell : []), ...chosen.map(({ statement }) => statement)];
        let after = before;
        const { outcome } = await attempt(application, statements, {
          watch: async (tx) => {
            after = await digestOf(tx);
          },
        });
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        if (outcome === "unnoticed") expect([statements, after]).toEqual([statements, before]);
      },
    ),
    { numRuns: SEQUENCES, endOnFailure: true },
  );
  figure([...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(", "));
  expect(outcomes.get("unnoticed")).toBeGreaterThan(0);
});
