import { and, asc, eq, getTableColumns, gt, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { readEntries } from "#db/ledger/list-entries.ts";
import { pick } from "#db/pick.ts";
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
import { breaks, depositLimits, statedAges } from "#db/schema/spending.ts";
import { identities, knownBrowsers, signIns, users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { download } from "#src/http/download.ts";
import { findPaymentViews } from "#src/money/payments/find-payment-views.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { presentTransaction } from "#src/money/wallet/list-transactions.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { describeBrowser } from "#src/people/sign-ins/describe-browser.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { rolesOfUser } from "#src/people/users/roles-of-user.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import { site } from "#src/settings/contract.ts";

/**
 * Streams everything that is stored about a user as a JSON file: the profile and the wallet, then one list for each kind of record.
 * Lists are read in batches by key, so that a long history needs no memory and holds no database connection while a slow client
 * downloads.
 */
export async function exportAccount(deps: Deps, userId: number): Promise<Response> {
  const profile = await findExportedProfile(deps.pool.db, userId);
  const guests = await deps.pool.db.select({ id: users.id }).from(users).where(eq(users.mergedInto, userId));
  const playerIds = [userId, ...guests.map(({ id }) => id)];
  return download(writeParts(deps, playerIds, profile), `${site().slug}-account-${userId}.json`);
}

/** @param playerIds the user, and the guests that are a part of the account. */
async function* writeParts(
  deps: Deps,
  playerIds: readonly number[],
  profile: object,
): AsyncGenerator<string> {
  yield JSON.stringify({ exportedAt: serverNow().toISOString(), ...profile }).slice(0, -1);
  for (const [name, read] of Object.entries(exportedLists)) {
    yield `,\n"${name}":[`;
    let separator = "";
    for (const id of playerIds)
      for await (const batch of read(deps, id)) {
        yield `${separator}\n${batch.map((row) => JSON.stringify(row)).join(",\n")}`;
        separator = ",";
      }
    yield "]";
  }
  yield "}\n";
}

const BATCH_SIZE = 500;

type Batches = AsyncGenerator<readonly object[]>;
/** Reads all records of one kind that belong to a user, oldest first, in batches. */
type ReadAll = (deps: Deps, userId: number) => Batches;

/** Every kind of record that belongs to a user, by its name in the export. Reactions are counted and not stored. */
const exportedLists: Readonly<Record<string, ReadAll>> = {
  calls: ({ pool: { db } }, userId) =>
    byId(calls.id, async (behind) => {
      const rows = await db
        .select({ id: calls.id })
        .from(calls)
        .where(and(eq(calls.userId, userId), behind))
        .orderBy(asc(calls.id))
        .limit(BATCH_SIZE);
      return findCallViews(db, { callIds: rows.map(({ id }) => id) }, serverNow());
    }),
  transactions: ({ pool: { db } }, userId) => readTransactions(db, userId),
  payments: ({ pool: { db } }, userId) =>
    byId(payments.id, async (behind) => {
      const mine = and(eq(payments.userId, userId), behind);
      const rows = await db.select().from(payments).where(mine).orderBy(asc(payments.id)).limit(BATCH_SIZE);
      return findPaymentViews(db, rows);
    }),
  depositLimits: allOf(depositLimits),
  breaks: rowsOf(breaks, breaks.userId, ["id", "period", "reason", "beganAt", "endsAt"]),
  confirmedAge: allOf(statedAges),
  scores: ({ pool: { db } }, userId) =>
    atOnce(db.select().from(scores).where(eq(scores.userId, userId)).orderBy(asc(scores.sessionId))),
  sessionsJoined: ({ pool: { db } }, userId) =>
    byId(registrations.id, (behind) =>
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
        .where(and(eq(registrations.userId, userId), behind))
        .orderBy(asc(registrations.id))
        .limit(BATCH_SIZE),
    ),
  sessionsHosted: ({ pool: { db } }, userId) => atOnce(findHostedSessions(db, userId)),
  sessionsRemovedFrom: rowsOf(removedPlayers, removedPlayers.userId),
  messages: rowsOf(messages, messages.userId),
  notifications: rowsOf(notifications, notifications.userId),
  sharedLinks: ({ env, pool: { db } }, userId) =>
    byId(shares.id, async (behind) => {
      const mine = and(eq(shares.userId, userId), behind);
      const rows = await db.select().from(shares).where(mine).orderBy(asc(shares.id)).limit(BATCH_SIZE);
      return rows.map(({ token, ...row }) => ({ ...row, url: `${env.publicUrl}/shared/${token}` }));
    }),
  uploads: rowsOf(blobs, blobs.uploadedById, ["id", "filename", "contentType", "byteSize", "createdAt"]),
  signIns: ({ pool: { db } }, userId) =>
    byId(signIns.id, async (behind) => {
      const mine = and(eq(signIns.userId, userId), behind);
      const rows = await db.select().from(signIns).where(mine).orderBy(asc(signIns.id)).limit(BATCH_SIZE);
      return rows.map(({ csrfSecret: _secret, idToken: _token, userAgent, ...row }) => ({
        ...row,
        userAgent,
        browser: describeBrowser(userAgent),
      }));
    }),
  identities: rowsOf(identities, identities.userId),
  knownBrowsers: allOf(knownBrowsers, ["createdAt", "signedInAt"]),
  accessTokens: rowsOf(accessTokens, accessTokens.userId, [
    "id",
    "name",
    "scope",
    "createdAt",
    "expiresAt",
    "lastUsedAt",
    "revokedAt",
  ]),
  passkeys: allOf(passkeys, ["name", "credentialId", "createdAt", "lastUsedAt"]),
  pushSubscriptions: rowsOf(pushSubscriptions, pushSubscriptions.userId, [
    "id",
    "endpoint",
    "sessionLive",
    "results",
    "createdAt",
  ]),
  mails: rowsOf(mails, mails.userId, ["id", "kind", "recipient", "sentAt", "createdAt"]),
  mutes: rowsOf(mutes, mutes.userId),
  reminders: rowsOf(reminders, reminders.userId),
  exclusions: rowsOf(exclusions, exclusions.userId, ["id", "sessionId", "reason", "createdAt"]),
  changesByAdmins: ({ pool: { db } }, userId) =>
    byId(audit.id, (behind) =>
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
            behind,
          ),
        )
        .orderBy(asc(audit.id))
        .limit(BATCH_SIZE),
    ),
};

/** Reads batches behind the last id until one is not full. */
async function* byId(
  id: PgColumn,
  read: (behind: SQL | undefined) => Promise<readonly { id: number | string }[]>,
): Batches {
  let behind: SQL | undefined;
  for (;;) {
    const rows = await read(behind);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < BATCH_SIZE) return;
    behind = gt(id, last.id);
  }
}

const identified = v.array(v.looseObject({ id: v.union([v.number(), v.string()]) }));

/** These columns of a table's rows that belong to a user, or all of them. */
function rowsOf<Table extends PgTable & { id: PgColumn }>(
  table: Table,
  owner: PgColumn,
  names?: readonly (keyof Table["$inferSelect"] & string)[],
): ReadAll {
  const source: PgTable = table;
  return ({ pool: { db } }, userId) =>
    byId(table.id, async (behind) =>
      v.parse(
        identified,
        await db
          .select(columnsOf(table, names))
          .from(source)
          .where(and(eq(owner, userId), behind))
          .orderBy(asc(table.id))
          .limit(BATCH_SIZE),
      ),
    );
}

/** The same without batches, for lists that stay short. */
function allOf<Table extends PgTable & { userId: PgColumn }>(
  table: Table,
  names?: readonly (keyof Table["$inferSelect"] & string)[],
): ReadAll {
  const source: PgTable = table;
  return ({ pool: { db } }, userId) =>
    atOnce(db.select(columnsOf(table, names)).from(source).where(eq(table.userId, userId)));
}

function columnsOf(table: PgTable, names?: readonly string[]): Record<string, PgColumn> {
  const all = getTableColumns(table);
  return names === undefined ? all : pick(all, ...names);
}

async function* atOnce(read: PromiseLike<readonly object[]>): Batches {
  const rows = await read;
  if (rows.length > 0) yield rows;
}

async function* readTransactions(db: Queryable, userId: number): Batches {
  for await (const batch of readEntries(db, { userId, batchSize: BATCH_SIZE }))
    yield batch.map((entry) => presentTransaction(entry));
}

function findHostedSessions(db: Queryable, userId: number) {
  return db
    .select({ slug: sessions.slug, name: sessions.name, createdAt: sessionHosts.createdAt })
    .from(sessionHosts)
    .innerJoin(sessions, eq(sessions.id, sessionHosts.sessionId))
    .where(eq(sessionHosts.userId, userId))
    .orderBy(asc(sessionHosts.id));
}

/** What a user's export begins with: the user's row without the hash of the password, and the wallet. */
export async function findExportedProfile(db: Queryable, userId: number): Promise<object> {
  const [user] = await db
    .select({
      ...pick(users, "email", "username", "phone", "avatar", "guest"),
      roles: rolesOfUser,
      settings: users.preferences,
      confirmedAt: users.confirmedAt,
      createdAt: users.createdAt,
      updatedAt: users.updatedAt,
    })
    .from(users)
    .where(eq(users.id, userId));
  if (user === undefined) throw notFound();
  const { settings, avatar, ...row } = user;
  return {
    profile: { id: userId, gid: gidOf(userId), ...row, avatar: presentAvatar(avatar) },
    settings,
    wallet: await findWalletView(db, userId),
  };
}
