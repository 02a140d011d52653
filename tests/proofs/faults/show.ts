import { inArray } from "drizzle-orm";
import * as v from "valibot";
import { calls } from "#db/schema/calls.ts";
import { buildEvent, buildPlayer, buildRunningSession, readSpots } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import type { NightMachine } from "./night-machine.ts";

const PLAYERS = 5;
const CALLS_OF_EVENT = 12;
const PAUSE_MS = 700;
const placed = v.object({ call: v.object({ id: v.number() }) });

/** A show that goes on whatever happens: players call, and a host decides. */
export async function playShow(night: NightMachine) {
  const { deps, send, admin } = night;
  const { id: sessionId } = await buildRunningSession(deps);
  const players = await Promise.all(
    Array.from({ length: PLAYERS }, async () => signInDirectly(deps, await buildPlayer(deps))),
  );
  const acknowledged: number[] = [];
  let asked = 0;
  let isOver = false;
  const isRunning = () => !isOver;
  const call = async (headers: Record<string, string>, spotId: number) => {
    asked += 1;
    const answer = await send("POST", "/api/v1/calls", headers, { call: { spotId, wager: 1 } });
    if (answer.status === 201) acknowledged.push(v.parse(placed, await answer.json()).call.id);
  };
  const playEvent = async () => {
    const event = await buildEvent(deps, "open", { sessionId, durationSeconds: 600 });
    const spots = await readSpots(deps, event.id);
    for (let index = 0; index < CALLS_OF_EVENT && isRunning(); index += 1) {
      const spot = index % 2 === 0 ? spots.true : spots.false;
      await call(players[index % PLAYERS] ?? {}, spot.id).catch(() => undefined);
      await Bun.sleep(PAUSE_MS);
    }
    for (const state of [{ state: "closed" }, { state_event: "resolve", result: true }])
      await admin("PATCH", `/api/v1/events/${event.id}/state`, { event: state });
  };
  const playing = (async () => {
    // What fails while something is wrong is what players see.
    while (isRunning()) await Promise.all([playEvent().catch(() => undefined), Bun.sleep(PAUSE_MS)]);
  })();
  return {
    /** How many calls were asked for and answered so far. */
    counts: () => ({ asked, answered: acknowledged.length }),
    end: async () => {
      isOver = true;
      await playing;
    },
    /** Those of the calls that were acknowledged which are not in the books. */
    findLost: async () => {
      const rows = await deps.pool.db
        .select({ id: calls.id })
        .from(calls)
        .where(inArray(calls.id, acknowledged));
      const kept = new Set(rows.map(({ id }) => id));
      return acknowledged.filter((id) => !kept.has(id));
    },
  };
}
