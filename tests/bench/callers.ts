import { buildPlayer } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import type { BenchDeps } from "./bench-deps.ts";

const CALLERS = 16;
const EXPECTED = [201, 422];

/** Players who place calls over HTTP while a bench measures something else. */
export type Callers = {
  /** Places calls on random spots of these events until `stop`. */
  call: (
    events: readonly { spotIds: readonly number[] }[],
    perSecond: number,
  ) => { stop: () => Promise<void> };
};

/** Signs players in to the web process at this origin. */
export async function signInCallers(deps: BenchDeps, origin: string): Promise<Callers> {
  const players = await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      const { id } = await buildPlayer(deps, { balanceCents: 10_000_000 });
      return signInDirectly(deps, { id });
    }),
  );
  return {
    call: (events, perSecond) => {
      const spotIds = events.flatMap((event) => event.spotIds);
      let stopped = false;
      const keepCalling = async (headers: Record<string, string>) => {
        while (!stopped) {
          await Bun.sleep((Math.random() * 2_000 * CALLERS) / perSecond);
          const spotId = spotIds[Math.floor(Math.random() * spotIds.length)];
          await placeCall(origin, headers, spotId);
        }
      };
      const done = Promise.all(players.map(keepCalling));
      return {
        stop: async () => {
          stopped = true;
          await done;
        },
      };
    },
  };
}

async function placeCall(
  origin: string,
  headers: Record<string, string>,
  spotId = Number.NaN,
): Promise<void> {
  const response = await fetch(`${origin}/api/v1/calls`, {
    method: "POST",
    headers: { ...headers, accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify({ call: { spot_id: spotId, wager: 0.01 } }),
  });
  // A late call is refused. That is expected.
  const text = await response.text();
  if (!EXPECTED.includes(response.status))
    throw new Error(`a call was not placed: ${response.status} ${text}`);
}
