import * as v from "valibot";
import { FROM } from "../overload-contract.ts";

const RETRY_AFTER_MS = 200;
const GIVE_UP_AFTER_MS = 30_000;

const placed = v.object({ call: v.object({ id: v.number() }) });

/** What robots did. `refused`: answers that were not a call; each call was sent again until it was one. */
export type Placed = { ids: Set<number>; refused: Map<number, number>; tookMs: number[] };
export type Placing = { placed: Placed; stop: () => Promise<void> };

type Target = { origin: string; spotIds: readonly number[]; credentials: readonly Record<string, string>[] };

/** Places calls at a steady rate. A call without an answer is sent again with its key, as the app does. */
export function placeSteadily({ origin, spotIds, credentials }: Target, perSecond: number): Placing {
  const state: Placed = { ids: new Set(), refused: new Map(), tookMs: [] };
  let running = true;
  const place = async (headers: Record<string, string>, address: string) => {
    const key = crypto.randomUUID();
    const spotId = spotIds[Math.floor(Math.random() * spotIds.length)];
    const sentAt = performance.now();
    for (;;) {
      const response = await fetch(`${origin}/api/v1/calls`, {
        method: "POST",
        headers: { ...headers, [FROM]: address, "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify({ call: { spot_id: spotId, wager: 0.01 } }),
        signal: AbortSignal.timeout(GIVE_UP_AFTER_MS),
      }).catch(() => null);
      if (response?.ok === true) {
        state.ids.add(v.parse(placed, await response.json()).call.id);
        state.tookMs.push(performance.now() - sentAt);
        return;
      }
      await response?.text().catch(() => "");
      const status = response?.status ?? 0;
      state.refused.set(status, (state.refused.get(status) ?? 0) + 1);
      await Bun.sleep(RETRY_AFTER_MS);
    }
  };
  const robot = async (headers: Record<string, string>, index: number) => {
    const everyMs = (1_000 * credentials.length) / perSecond;
    await Bun.sleep(Math.random() * everyMs);
    while (running) {
      const startedAt = performance.now();
      await place(headers, `10.255.${index >> 8}.${index & 255}`);
      await Bun.sleep(Math.max(0, everyMs - (performance.now() - startedAt)));
    }
  };
  const done = Promise.all(credentials.map(robot));
  return {
    placed: state,
    stop: async () => {
      running = false;
      await done;
    },
  };
}
