import { and, desc, eq, gte, ne, sql } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import { askedTexts, earlierTextsOfCall } from "#db/asked-texts.ts";
import type { Queryable } from "#db/client.ts";
import { readWallets } from "#db/ledger/read-wallet.ts";
import { calls } from "#db/schema/calls.ts";
import { events, spots } from "#db/schema/events.ts";
import { registrations } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { dollarsOf } from "#src/http/money.ts";
import { searchUsers } from "#src/profiles/search-users.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { PLAYER_CALLS_MAX, PLAYERS_FOUND_MAX } from "./contract.ts";
import type { FoundPlayer } from "./schemas.ts";

type Session = { id: number; startedAt: Date | null };

/**
 * Finds players by a part of their username or email, for the host of a session: the wallet, and the newest calls in it.
 * @returns PLAYERS_FOUND_MAX at most.
 * @throws Refusal 404 for an unknown session.
 */
export async function findPlayers(
  db: Queryable,
  { slugOrId, search }: { slugOrId: string; search: string },
): Promise<FoundPlayer[]> {
  const session = await requireSession(db, slugOrId);
  const page = { page: 1, perPage: PLAYERS_FOUND_MAX, offset: 0 };
  const { ids } = await searchUsers(db, { search, role: undefined, order: "newest" }, page);
  const [people, wallets, played] = await Promise.all([
    findPeople(db, session.id, ids),
    readWallets(db, ids),
    Promise.all(ids.map((userId) => findCalls(db, session, userId))),
  ]);
  const walletBy = new Map(wallets.map((wallet) => [wallet.userId, wallet]));
  const playedBy = new Map(ids.map((id, index) => [id, played[index]]));
  return people.map((person) => {
    const { availableCents = 0, heldCents = 0 } = walletBy.get(person.id) ?? {};
    return {
      ...person,
      available: dollarsOf(availableCents),
      availableCents,
      held: dollarsOf(heldCents),
      heldCents,
      ...(playedBy.get(person.id) ?? { callsCount: 0, calls: [] }),
    };
  });
}

function findPeople(db: Queryable, sessionId: number, ids: readonly number[]) {
  const joined = sql`SELECT 1 FROM ${registrations} r WHERE r.user_id = ${users.id} AND r.session_id = ${sessionId}`;
  return db
    .select({
      id: users.id,
      username: users.username,
      guest: users.guest,
      registered: sql<boolean>`EXISTS (${joined})`,
      deactivated: sql<boolean>`${users.deactivatedAt} IS NOT NULL`,
    })
    .from(users)
    .where(anyOf(users.id, ids))
    .orderBy(users.id);
}

/** The player's calls in the session. None is older than its start, so that the index by player and time is read from there. */
async function findCalls(
  db: Queryable,
  { id: sessionId, startedAt }: Session,
  userId: number,
): Promise<Pick<FoundPlayer, "callsCount" | "calls">> {
  if (startedAt === null) return { callsCount: 0, calls: [] };
  const rows = await db
    .select({
      total: sql`count(*) OVER ()`.mapWith(Number),
      call: calls,
      ...askedTexts,
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
  const { id, state, outcome, wagerCents, payoutCents, placedAt } = call;
  return {
    id,
    eventTitle,
    label: side === "true" ? trueLabel : falseLabel,
    side,
    state,
    outcome,
    wager: dollarsOf(wagerCents),
    wagerCents,
    payout: payoutCents === null ? null : dollarsOf(payoutCents),
    payoutCents,
    placedAt: placedAt.toISOString(),
  };
}
