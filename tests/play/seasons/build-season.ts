import { eq } from "drizzle-orm";
import type { Side } from "#db/lists/spots.ts";
import { results } from "#db/schema/scores.ts";
import { seasons } from "#db/schema/seasons.ts";
import { registrations } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { buildCall, buildEvent, buildRunningSession, only } from "#tests/support/build.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

/** A season that the books know nothing of yet. */
export async function buildSeason({ pool }: Pick<Deps, "pool">, startsAt: Date, endsAt: Date) {
  const name = `From ${startsAt.toISOString()}`;
  const slug = `from-${startsAt.getTime()}`;
  return only(await pool.db.insert(seasons).values({ name, slug, startsAt, endsAt }).returning());
}

type Played = { sessionId?: number; winner: { id: number }; loser: { id: number }; result?: Side | "void" };

/** An event that `true` decides: one has called it, the other has not. @returns its id, and the first millisecond after the result. */
export async function play(deps: Deps, { sessionId, winner, loser, result = "true" }: Played) {
  const { id: eventId } = await buildEvent(deps, "open", sessionId === undefined ? {} : { sessionId });
  await buildCall(deps, { userId: winner.id, eventId, side: "true" });
  await buildCall(deps, { userId: loser.id, eventId, side: "false" });
  await resolveAndPay(deps, { eventId, actor: null, result, reason: "As it was" });
  const [row] = await deps.pool.db.select().from(results).where(eq(results.eventId, eventId));
  if (row === undefined) throw new Error("the event has no result");
  return { eventId, after: new Date(row.resolvedAt.getTime() + 1) };
}

/** A private show that runs, which these players have joined. */
export async function buildPrivateShow(
  deps: Deps,
  players: readonly { id: number; username: string }[],
  name = "The party",
) {
  const show = await buildRunningSession(deps, { name, settings: { private: true } });
  const rows = players.map(({ id: userId, username: displayName }) => ({
    sessionId: show.id,
    userId,
    displayName,
  }));
  await deps.pool.db.insert(registrations).values(rows);
  return show;
}
