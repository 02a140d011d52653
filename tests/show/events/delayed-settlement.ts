import { eq } from "drizzle-orm";
import { settlements } from "#db/schema/ledger.ts";
import type { Deps } from "#src/base/deps.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { alarmOf } from "#tests/jobs/due-events.ts";
import { readWallet } from "#tests/support/books.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession, readEvent } from "#tests/support/build.ts";
import { stopClockAt } from "#tests/support/database.ts";
import { payNow } from "#tests/support/pay.ts";

/** The settlement delay of every session here. */
export const DELAY_S = 5;
const START_MS = Date.parse("2026-11-21T20:00:00.000Z");

/** The time this many seconds after the start. */
export const inSeconds = (seconds: number) => new Date(START_MS + seconds * 1_000);

/** Stops the game's clock at that time. */
export const clockAt = ({ pool }: Deps, seconds: number) => stopClockAt(pool, inSeconds(seconds));

/** Delivers the alarm of an event's current schedule, and pays what it decides. Returns by how many milliseconds it was early. */
export async function deliverAlarm(deps: Deps, eventId: number): Promise<number> {
  const earlyMs = await performTransition(deps, alarmOf(await readEvent(deps, eventId)));
  await payNow(deps, eventId);
  return earlyMs;
}

export const findSettlements = ({ pool }: Deps, eventId: number) =>
  pool.db.select().from(settlements).where(eq(settlements.eventId, eventId));

/** An event with a settlement delay of 5 s. Ana called True and Ben False, 1.00 each. `balance` is Ana's, in cents. */
export async function buildContest(
  deps: Deps,
  state: "open" | "closed" = "closed",
  terms: Parameters<typeof buildEvent>[2] = {},
) {
  const session = await buildRunningSession(deps, { settings: { settlementDelaySeconds: DELAY_S } });
  const { id: eventId } = await buildEvent(deps, "open", { sessionId: session.id, ...terms });
  const [ana, ben] = [await buildPlayer(deps), await buildPlayer(deps)];
  await buildCall(deps, { userId: ana.id, eventId, side: "true" });
  await buildCall(deps, { userId: ben.id, eventId, side: "false" });
  if (state === "closed") await closeEvent(deps, { eventId, actor: null });
  const balance = async () => (await readWallet(deps.pool.db, ana.id)).postedCents;
  return { session, eventId, ana, ben, balance };
}
