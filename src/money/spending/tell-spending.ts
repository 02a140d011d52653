import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { queryRows, queryValue, wholeNumber } from "#db/ledger/query.ts";
import type { Deps } from "#src/base/deps.ts";
import { formatChange } from "#src/http/contract.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";

// Decision: it is a notification. So every page shows it where notices are, never over a side, screen readers hear it once, it is read without
// JavaScript too, and several processes and devices tell it once.

/** Who was seen in these minutes is here. */
const HERE_MINUTES = 10;
const BATCH_SIZE = 500;
/** The advisory lock's class. One process tells at a time, so that two devices of a player are not told by two. */
const TELLER_LOCK = 7706;
const MINUTES_OF_HOUR = 60;

const dueRow = v.object({ userId: wholeNumber, minutes: wholeNumber, netCents: wholeNumber });

/** Tells who is here for an hour (or what the settings say) since the sign-in, or since it was told, how long, and what was won or lost. */
export async function tellSpending(deps: Pick<Deps, "env" | "pool" | "notifyRelay">): Promise<void> {
  const { payments, spending } = deps.env;
  const { reminderMinutes: every } = spending;
  if (payments.provider === "none" || every === null) return;
  while ((await inTransaction(deps.pool.db, (tx) => tellSome(tx, every))) > 0) deps.notifyRelay();
}

async function tellSome(tx: Transaction, everyMinutes: number): Promise<number> {
  // In a statement of its own: the next one sees whom the holder before has told, by whichever device.
  const isFree = await queryValue(tx, v.boolean())`SELECT pg_try_advisory_xact_lock(${TELLER_LOCK}::int, 0)`;
  if (!isFree) return 0;
  const due = await queryRows(tx, dueRow)`WITH due AS (
      SELECT id FROM sign_ins s
      WHERE last_seen_at > clock_timestamp() - make_interval(mins => ${HERE_MINUTES}) AND ended_at IS NULL
        AND coalesce(told_at, created_at) <= clock_timestamp() - make_interval(mins => ${everyMinutes})
        -- By none of the player's other devices: each of them shows what is told.
        AND NOT EXISTS (SELECT 1 FROM sign_ins o WHERE o.user_id = s.user_id AND o.id <> s.id AND o.ended_at IS NULL
          AND o.told_at > clock_timestamp() - make_interval(mins => ${everyMinutes}))
      ORDER BY last_seen_at DESC LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED
    ), told AS (
      UPDATE sign_ins s SET told_at = clock_timestamp() FROM due WHERE s.id = due.id RETURNING s.user_id, s.created_at
    )
    SELECT user_id AS "userId", (extract(epoch FROM clock_timestamp() - min(created_at)) / 60)::int AS minutes,
      (SELECT coalesce(sum(net_cents), 0) FROM results r WHERE r.user_id = told.user_id AND r.resolved_at >= min(told.created_at)) AS "netCents"
    FROM told GROUP BY user_id ORDER BY user_id`;
  await writeNotifications(
    tx,
    due.map(({ userId, minutes, netCents }) => ({
      userId,
      kind: "spending" as const,
      title: `Signed in for ${lengthOf(minutes)}: ${formatChange(netCents)}`,
      body: "",
      url: "/profile/wallet/spending/statement",
    })),
  );
  return due.length;
}

/** "1 hour", "2 hours 30 minutes", "3 days" */
function lengthOf(minutes: number): string {
  const hours = Math.floor(minutes / MINUTES_OF_HOUR);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  const parts = [count(hours, "hour"), count(minutes % MINUTES_OF_HOUR, "minute")];
  return parts.filter((part) => part !== "").join(" ");
}

function count(number: number, unit: string): string {
  if (number === 0) return "";
  return number === 1 ? `1 ${unit}` : `${number} ${unit}s`;
}
