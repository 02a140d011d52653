import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryColumn, queryFirst, queryRow } from "#db/ledger/query.ts";
import { auditProcess } from "./starts.ts";

/** What the audit says of backups of each night: that one was written, or could not be. */
export const BACKUP_ACTION = "write_backup";
export const BACKUP_FAILED_ACTION = "fail_backup";
/** Backups are of the product as a whole. */
const SUBJECT = { type: "process", id: 0 } as const;
/** A night with what it takes: backups are made within an hour of each other's time. */
const OLD_AFTER_HOURS = 30;
/** Who makes none for so long has given them up on purpose. */
const EXPECTED_DAYS = 14;
const REASON_LENGTH_MAX = 500;

/** Records that a backup of each night was written and where it lies, or why it was not. */
export async function recordBackup(
  db: Queryable,
  done: { place: string } | { failure: string },
): Promise<void> {
  await ("place" in done
    ? auditProcess(db, BACKUP_ACTION, { id: SUBJECT.id, after: done })
    : auditProcess(db, BACKUP_FAILED_ACTION, {
        id: SUBJECT.id,
        reason: done.failure.slice(0, REASON_LENGTH_MAX),
      }));
}

const lastGood = v.object({ at: v.string(), place: v.nullable(v.string()) });

/** When the last good backup of each night was written, and where it lies; null without one. */
export async function findLastBackup(db: Queryable) {
  const last = await queryFirst(db, lastGood)`
    SELECT to_json(created_at)#>>'{}' AS at, after->>'place' AS place FROM audit
    WHERE subject_type = ${SUBJECT.type} AND subject_id = ${SUBJECT.id} AND action = ${BACKUP_ACTION} ORDER BY id DESC LIMIT 1`;
  return last === null ? null : { ...last, at: new Date(last.at).toISOString() };
}

const lastBackups = v.object({
  isExpected: v.boolean(),
  lastFailed: v.nullable(v.boolean()),
  reason: v.nullable(v.string()),
  goodHours: v.nullable(v.number()),
  place: v.nullable(v.string()),
});

/** What is wrong with the backups of each night; null: nothing, or nobody makes them. */
export async function findBackupTrouble(
  db: Queryable,
): Promise<{ state: "failed" | "old"; said: string } | null> {
  const { isExpected, lastFailed, reason, goodHours, place } = await queryRow(db, lastBackups)`
    WITH backups AS (
      SELECT id, action = ${BACKUP_FAILED_ACTION} AS failed, reason, after, created_at FROM audit
      WHERE subject_type = ${SUBJECT.type} AND subject_id = ${SUBJECT.id}
        AND action IN (${BACKUP_ACTION}, ${BACKUP_FAILED_ACTION})
    ), newest AS (SELECT * FROM backups ORDER BY id DESC LIMIT 1)
    SELECT coalesce((SELECT created_at FROM newest) > now() - make_interval(days => ${EXPECTED_DAYS}), false) AS "isExpected",
      (SELECT failed FROM newest) AS "lastFailed", (SELECT reason FROM newest) AS reason,
      (SELECT extract(epoch FROM now() - max(created_at))::float8 / 3600 FROM backups WHERE NOT failed) AS "goodHours",
      (SELECT after->>'place' FROM backups WHERE NOT failed ORDER BY id DESC LIMIT 1) AS place`;
  if (!isExpected) return null;
  const good =
    goodHours === null
      ? "There is no good one."
      : `The last good one is ${Math.floor(goodHours)} h old${place === null ? "" : `: ${place}`}.`;
  if (lastFailed === true) return { state: "failed", said: `${reason ?? ""} ${good}`.trim() };
  return goodHours !== null && goodHours > OLD_AFTER_HOURS ? { state: "old", said: good } : null;
}

/** Which part of its log Postgres could not archive last. Where it archives nothing, nothing is known. */
export async function findArchiveTrouble(db: Queryable) {
  const [failing] = await queryColumn(db, v.nullable(v.string()))`
    SELECT CASE WHEN last_failed_time > coalesce(last_archived_time, '-infinity') THEN last_failed_wal END
    FROM pg_stat_archiver WHERE current_setting('archive_mode') <> 'off'`;
  if (failing === undefined) return "unknown";
  return failing === null ? "ok" : { state: "failing", said: `It waits from ${failing} on.` };
}
