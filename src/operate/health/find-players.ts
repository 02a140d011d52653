import { and, desc, eq, gte, ilike, isNull, ne, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { earlierTextsOf, earlierTextsOfCall } from "#db/earlier-texts.ts";
import { anyOf } from "#db/ledger/query.ts";
import { readWallets } from "#db/ledger/read-wallet.ts";
import { calls } from "#db/schema/calls.ts";
import { events, spots } from "#db/schema/events.ts";
import { registrations, removedPlayers } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { dollarsOf } from "#src/http/money.ts";
import { present } from "#src/http/present.ts";
import { isAdmin, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { isNamed } from "#src/people/users/judge-username.ts";
import { isRemoved } from "#src/play/access-denied.ts";
import { searchUsers } from "#src/profiles/list-users.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { PLAYERS_FOUND_MAX } from "./contract.ts";
import { type FoundPlayer, playerCall } from "./schemas.ts";

/** The newest calls that are listed of each player. */
const PLAYER_CALLS_MAX = 3;

/**
 * Finds players by a part of their username or email, for an admin: the wallet, and the newest calls in a session. Its host, who has
 * nothing to do with other users and with money, finds by their names those who have joined it.
 * @returns PLAYERS_FOUND_MAX at most: the one whose whole name or email it is, then the newest.
 */
export async function findPlayers(
  db: Queryable,
  { slugOrId, search, viewer }: { slugOrId: string; search: string; viewer: Pick<Viewer, "roles"> },
): Promise<FoundPlayer[]> {
  const session = await requireSession(db, slugOrId);
  const forAdmin = isAdmin(viewer);
  const ids = forAdmin ? await findAnybody(db, search) : await findJoined(db, session.id, search);
  const [people, wallets, played] = await Promise.all([
    findPeople(db, session.id, ids),
    forAdmin ? readWallets(db, ids) : null,
    Promise.all(ids.map((userId) => findCalls(db, session, userId))),
  ]);
  const walletBy = wallets === null ? null : new Map(wallets.map((wallet) => [wallet.userId, wallet]));
  const personBy = new Map(people.map((person) => [person.id, person]));
  return ids.flatMap((id, index) => {
    const person = personBy.get(id);
    if (person === undefined) return [];
    const wallet = walletBy === null ? noWallet : walletIn(walletBy.get(id));
    return [{ ...person, ...wallet, ...(played[index] ?? { callsCount: 0, calls: [] }) }];
  });
}

async function findAnybody(db: Queryable, search: string): Promise<number[]> {
  const page = { page: 1, perPage: PLAYERS_FOUND_MAX, offset: 0 };
  const [named, { ids }] = await Promise.all([
    db
      .select({ id: users.id })
      .from(users)
      .where(and(or(eq(users.email, search.toLowerCase()), isNamed(search)), isNull(users.mergedInto))),
    searchUsers(db, { search, role: undefined, order: "newest" }, page),
  ]);
  return [...new Set([...named.map(({ id }) => id), ...ids])].slice(0, PLAYERS_FOUND_MAX);
}

/** Those who are in the session or were removed from it. */
async function findJoined(db: Queryable, sessionId: number, search: string): Promise<number[]> {
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const ofSession = sql`SELECT r.user_id FROM ${registrations} r WHERE r.session_id = ${sessionId}
    UNION SELECT x.user_id FROM ${removedPlayers} x WHERE x.session_id = ${sessionId}`;
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(sql`${users.id} IN (${ofSession})`, ilike(users.username, pattern)))
    .orderBy(desc(isNamed(search)), desc(users.id))
    .limit(PLAYERS_FOUND_MAX);
  return rows.map(({ id }) => id);
}

type WalletFields = Pick<FoundPlayer, "available" | "availableCents" | "held" | "heldCents">;
const noWallet: WalletFields = { available: null, availableCents: null, held: null, heldCents: null };

function walletIn({ availableCents, heldCents } = { availableCents: 0, heldCents: 0 }): WalletFields {
  return { available: dollarsOf(availableCents), availableCents, held: dollarsOf(heldCents), heldCents };
}

function findPeople(db: Queryable, sessionId: number, ids: readonly number[]) {
  const joined = sql`SELECT 1 FROM ${registrations} r WHERE r.user_id = ${users.id} AND r.session_id = ${sessionId}`;
  const team = sql`SELECT r.team FROM ${registrations} r WHERE r.user_id = ${users.id} AND r.session_id = ${sessionId}`;
  return db
    .select({
      id: users.id,
      username: users.username,
      guest: users.guest,
      registered: sql<boolean>`EXISTS (${joined})`,
      team: sql<number | null>`(${team})`,
      removed: sql<boolean>`${isRemoved(sql`${sessionId}::bigint`, users.id)}`,
      deactivated: sql<boolean>`${users.deactivatedAt} IS NOT NULL`,
    })
    .from(users)
    .where(anyOf(users.id, ids));
}

/** The player's calls in the session. None is older than its start, so that the index by player and time is read from there. */
async function findCalls(
  db: Queryable,
  { id: sessionId, startedAt }: { id: number; startedAt: Date | null },
  userId: number,
): Promise<Pick<FoundPlayer, "callsCount" | "calls">> {
  if (startedAt === null) return { callsCount: 0, calls: [] };
  const rows = await db
    .select({
      total: sql`count(*) OVER ()`.mapWith(Number),
      call: calls,
      ...earlierTextsOf,
      side: spots.side,
    })
    .from(calls)
    .innerJoin(events, and(eq(events.id, calls.eventId), eq(events.sessionId, sessionId)))
    .innerJoin(spots, eq(spots.id, calls.spotId))
    .leftJoin(earlierTextsOfCall, sql`TRUE`)
    .where(and(eq(calls.userId, userId), gte(calls.placedAt, startedAt), ne(calls.state, "soft_destroyed")))
    .orderBy(desc(calls.placedAt), desc(calls.id))
    .limit(PLAYER_CALLS_MAX);
  return { callsCount: rows[0]?.total ?? 0, calls: rows.map(presentCall) };
}

type CallRow = {
  call: typeof calls.$inferSelect;
  eventTitle: string;
  side: FoundPlayer["calls"][number]["side"];
  trueLabel: string;
  falseLabel: string;
};

function presentCall({
  call,
  eventTitle,
  side,
  trueLabel,
  falseLabel,
}: CallRow): FoundPlayer["calls"][number] {
  return present(playerCall, {
    ...call,
    eventTitle,
    label: side === "true" ? trueLabel : falseLabel,
    side,
  });
}
