import { buildPlayer } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/visitor.ts";
import type { BenchDeps } from "./bench-deps.ts";
import type { DueEvent } from "./open-due-events.ts";

const CALLERS = 16;
const EXPECTED = [201, 422];

/** Players who call over HTTP beside what a bench measures. */
export type Callers = {
  /** Has them call on these events, each on one side of one at random, until they are told to stop. */
  call: (events: readonly DueEvent[], perSecond: number) => { stop: () => Promise<void> };
};

/** Players who are signed in to the web process at this origin. */
export async function findCallers(stand: BenchDeps, origin: string): Promise<Callers> {
  const players = await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      const { id } = await buildPlayer(stand, { balanceCents: 10_000_000 });
      return signInDirectly(stand, { id });
    }),
  );
  return {
    call: (events, perSecond) => {
      const spotIds = events.flatMap((event) => event.spotIds);
      let over = false;
      const keepCalling = async (headers: Record<string, string>) => {
        while (!over) {
          await Bun.sleep((Math.random() * 2_000 * CALLERS) / perSecond);
          const spotId = spotIds[Math.floor(Math.random() * spotIds.length)];
          await place(origin, headers, spotId);
        }
      };
      const done = Promise.all(players.map(keepCalling));
      return {
        stop: async () => {
          over = true;
          await done;
        },
      };
    },
  };
}

async function place(origin: string, headers: Record<string, string>, spotId = Number.NaN): Promise<void> {
  const response = await fetch(`${origin}/api/v1/calls`, {
    method: "POST",
    headers: { ...headers, accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify({ call: { spot_id: spotId, wager: 0.01 } }),
  });
  // A call that comes too late is refused, which is part of the game.
  const text = await response.text();
  if (!EXPECTED.includes(response.status)) throw new Error(`not placed: ${response.status} ${text}`);
}
