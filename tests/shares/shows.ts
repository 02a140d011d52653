import { eq } from "drizzle-orm";
import { shares } from "#db/schema/shares.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

/** The links as they are stored. */
export function readShares({ pool }: Pick<TestDeps, "pool">, userId: number) {
  return pool.db.select().from(shares).where(eq(shares.userId, userId)).orderBy(shares.id);
}

/** A player with a call of $1 on an open event of a running session. */
export async function buildCalled(deps: TestDeps, title = "Will it rain?") {
  const session = await buildRunningSession(deps, { name: "Friday derby" });
  const player = await buildPlayer(deps);
  const event = await buildEvent(deps, "open", { title, sessionId: session.id, durationSeconds: 600 });
  const callId = await buildCall(deps, { userId: player.id, eventId: event.id });
  return { session, player, event, callId };
}

/** The same with a rival's call on the other side, decided as true. */
export async function buildWon(deps: TestDeps, title?: string) {
  const called = await buildCalled(deps, title);
  const rival = await buildPlayer(deps);
  await buildCall(deps, { userId: rival.id, eventId: called.event.id, side: "false", wagerCents: 250 });
  await resolveAndPay(deps, { eventId: called.event.id, actor: null, result: "true" });
  return { ...called, rival };
}

/** The same in a session that is over. */
export async function buildOver(deps: TestDeps) {
  const won = await buildWon(deps);
  await stopSession(deps, { sessionId: won.session.id, actor: null });
  return won;
}
