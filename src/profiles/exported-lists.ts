import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { readEntries } from "#db/ledger/read-entries.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { audit, auditPersonal } from "#db/schema/audit.ts";
import { blobs } from "#db/schema/blobs.ts";
import { calls } from "#db/schema/calls.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { mails } from "#db/schema/mails.ts";
import { messages, mutes } from "#db/schema/messages.ts";
import { notifications } from "#db/schema/notifications.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import { payments } from "#db/schema/payments.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { reminders } from "#db/schema/reminders.ts";
import { scores } from "#db/schema/scores.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations, removedPlayers, sessions } from "#db/schema/sessions.ts";
import { shares } from "#db/schema/shares.ts";
import { knownBrowsers } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { findPaymentViews } from "#src/money/payments/find-payment-views.ts";
import { presentTransaction } from "#src/money/wallet/present-transaction.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import { readSignIns } from "./read-sign-ins.ts";

/** How many records are in memory at once. */
const BATCH_SIZE = 500;

type Batches = AsyncGenerator<readonly object[]>;
/** Reads all records of one kind that belong to a user, oldest first, in batches. */
type ReadAll = (deps: Deps, userId: number) => Batches;

/** Every kind of record that belongs to a user, by its name in the export. Reactions are counted and not stored. */
export const exportedLists: Readonly<Record<string, ReadAll>> = {
  calls: ({ pool: { db } }, userId) =>
    byId(async (after) => {
      const rows = await db
        .select({ id: calls.id })
        .from(calls)
        .where(and(eq(calls.userId, userId), gt(calls.id, after)))
        .orderBy(asc(calls.id))
        .limit(BATCH_SIZE);
      return findCallViews(db, { callIds: rows.map(({ id }) => id) }, serverNow());
    }),
  transactions: ({ pool: { db } }, userId) => readTransactions(db, userId),
  payments: ({ pool: { db } }, userId) =>
    byId(async (after) => {
      const mine = and(eq(payments.userId, userId), gt(payments.id, after));
      const rows = await db.select().from(payments).where(mine).orderBy(asc(payments.id)).limit(BATCH_SIZE);
      return findPaymentViews(db, rows);
    }),
  scores: ({ pool: { db } }, userId) =>
    atOnce(db.select().from(scores).where(eq(scores.userId, userId)).orderBy(asc(scores.sessionId))),
  sessionsJoined: ({ pool: { db } }, userId) =>
    byId((after) =>
      db
        .select({
          id: registrations.id,
          slug: sessions.slug,
          name: sessions.name,
          displayName: registrations.displayName,
          state: registrations.state,
          team: sql<string | null>`${sessions.settings} -> 'teams' ->> (${registrations.team} - 1)`,
          createdAt: registrations.createdAt,
        })
        .from(registrations)
        .innerJoin(sessions, eq(sessions.id, registrations.sessionId))
        .where(and(eq(registrations.userId, userId), gt(registrations.id, after)))
        .orderBy(asc(registrations.id))
        .limit(BATCH_SIZE),
    ),
  sessionsHosted: ({ pool: { db } }, userId) => atOnce(findHostedSessions(db, userId)),
  sessionsRemovedFrom: ({ pool: { db } }, userId) => rowsOf(db, removedPlayers, userId),
  messages: ({ pool: { db } }, userId) => rowsOf(db, messages, userId),
  notifications: ({ pool: { db } }, userId) => rowsOf(db, notifications, userId),
  sharedLinks: ({ env, pool: { db } }, userId) =>
    byId(async (after) => {
      const mine = and(eq(shares.userId, userId), gt(shares.id, after));
      const rows = await db.select().from(shares).where(mine).orderBy(asc(shares.id)).limit(BATCH_SIZE);
      return rows.map(({ token, ...row }) => ({ ...row, url: `${env.publicUrl}/shared/${token}` }));
    }),
  uploads: ({ pool: { db } }, userId) =>
    byId((after) =>
      db
        .select({
          id: blobs.id,
          filename: blobs.filename,
          contentType: blobs.contentType,
          byteSize: blobs.byteSize,
          createdAt: blobs.createdAt,
        })
        .from(blobs)
        .where(and(eq(blobs.uploadedById, userId), gt(blobs.id, after)))
        .orderBy(asc(blobs.id))
        .limit(BATCH_SIZE),
    ),
  signIns: ({ pool: { db } }, userId) => readSignIns(db, userId),
  knownBrowsers: ({ pool: { db } }, userId) =>
    atOnce(
      db
        .select({ createdAt: knownBrowsers.createdAt, signedInAt: knownBrowsers.signedInAt })
        .from(knownBrowsers)
        .where(eq(knownBrowsers.userId, userId)),
    ),
  accessTokens: ({ pool: { db } }, userId) =>
    atOnce(
      db
        .select({
          id: accessTokens.id,
          name: accessTokens.name,
          scope: accessTokens.scope,
          createdAt: accessTokens.createdAt,
          expiresAt: accessTokens.expiresAt,
          lastUsedAt: accessTokens.lastUsedAt,
          revokedAt: accessTokens.revokedAt,
        })
        .from(accessTokens)
        .where(eq(accessTokens.userId, userId)),
    ),
  passkeys: ({ pool: { db } }, userId) =>
    atOnce(
      db
        .select({
          name: passkeys.name,
          credentialId: passkeys.credentialId,
          createdAt: passkeys.createdAt,
          lastUsedAt: passkeys.lastUsedAt,
        })
        .from(passkeys)
        .where(eq(passkeys.userId, userId)),
    ),
  pushSubscriptions: ({ pool: { db } }, userId) =>
    byId((after) =>
      db
        .select({
          id: pushSubscriptions.id,
          endpoint: pushSubscriptions.endpoint,
          sessionLive: pushSubscriptions.sessionLive,
          results: pushSubscriptions.results,
          createdAt: pushSubscriptions.createdAt,
        })
        .from(pushSubscriptions)
        .where(and(eq(pushSubscriptions.userId, userId), gt(pushSubscriptions.id, after)))
        .orderBy(asc(pushSubscriptions.id))
        .limit(BATCH_SIZE),
    ),
  mails: ({ pool: { db } }, userId) =>
    byId((after) =>
      db
        .select({
          id: mails.id,
          kind: mails.kind,
          recipient: mails.recipient,
          sentAt: mails.sentAt,
          createdAt: mails.createdAt,
        })
        .from(mails)
        .where(and(eq(mails.userId, userId), gt(mails.id, after)))
        .orderBy(asc(mails.id))
        .limit(BATCH_SIZE),
    ),
  mutes: ({ pool: { db } }, userId) => rowsOf(db, mutes, userId),
  reminders: ({ pool: { db } }, userId) => rowsOf(db, reminders, userId),
  exclusions: ({ pool: { db } }, userId) =>
    byId((after) =>
      db
        .select({
          id: exclusions.id,
          sessionId: exclusions.sessionId,
          reason: exclusions.reason,
          createdAt: exclusions.createdAt,
        })
        .from(exclusions)
        .where(and(eq(exclusions.userId, userId), gt(exclusions.id, after)))
        .orderBy(asc(exclusions.id))
        .limit(BATCH_SIZE),
    ),
  changesByAdmins: ({ pool: { db } }, userId) =>
    byId((after) =>
      db
        .select({
          id: audit.id,
          action: audit.action,
          before: sql<unknown>`coalesce(${auditPersonal.before}, ${audit.before})`,
          after: sql<unknown>`coalesce(${auditPersonal.after}, ${audit.after})`,
          reason: audit.reason,
          createdAt: audit.createdAt,
        })
        .from(audit)
        .leftJoin(auditPersonal, eq(auditPersonal.auditId, audit.id))
        .where(
          and(
            sql`${audit.id} IN (SELECT id FROM audit WHERE subject_type = 'user' AND subject_id = ${userId}
              UNION SELECT audit_id FROM audit_personal WHERE user_id = ${userId})`,
            gt(audit.id, after),
          ),
        )
        .orderBy(asc(audit.id))
        .limit(BATCH_SIZE),
    ),
};

/** Reads batches behind the last id until one is not full. */
async function* byId<Row extends { id: number }>(read: (after: number) => Promise<readonly Row[]>): Batches {
  let after = 0;
  for (;;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < BATCH_SIZE) return;
    after = last.id;
  }
}

type OwnedTable =
  | typeof messages
  | typeof notifications
  | typeof mutes
  | typeof reminders
  | typeof removedPlayers;

/** All columns of a table whose rows have an id and a user. */
function rowsOf(db: Queryable, table: OwnedTable, userId: number): Batches {
  return byId((after) =>
    db
      .select()
      .from(table)
      .where(and(eq(table.userId, userId), gt(table.id, after)))
      .orderBy(asc(table.id))
      .limit(BATCH_SIZE),
  );
}

/** For lists that stay short. */
async function* atOnce(read: PromiseLike<readonly object[]>): Batches {
  const rows = await read;
  if (rows.length > 0) yield rows;
}

async function* readTransactions(db: Queryable, userId: number): Batches {
  for await (const batch of readEntries(db, { userId, batchSize: BATCH_SIZE }))
    yield batch.map((entry) => presentTransaction(entry));
}

/** The sessions whose host a user is, and since when. */
function findHostedSessions(db: Queryable, userId: number) {
  return db
    .select({ slug: sessions.slug, name: sessions.name, createdAt: sessionHosts.createdAt })
    .from(sessionHosts)
    .innerJoin(sessions, eq(sessions.id, sessionHosts.sessionId))
    .where(eq(sessionHosts.userId, userId))
    .orderBy(asc(sessionHosts.id));
}
