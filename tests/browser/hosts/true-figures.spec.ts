import { and, eq, inArray } from "drizzle-orm";
import { connect, type DatabasePool } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { spots } from "#db/schema/events.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import { PROOF, type Page, expect, test } from "../support/journey.ts";
import { findProduct } from "../support/product.ts";
import { eventOf, stageTwoHosts, type TwoHostShow } from "../support/two-host-show.ts";

const SECOND_MS = 1_000;
const SECONDS = 30;
/** So late may a figure be: the relay, the cable and a busy machine. */
const LATE_MS = 5_000;
const WAGER = 1;

/** What the database says about an action's pool. */
type Pool = { atMs: number; count: number; trueCents: number; falseCents: number };

test(
  "each second the figures of both rooms are those of the database, while players call and take back",
  { tag: PROOF },
  async () => {
    const show = await stageTwoHosts({ players: 6 });
    const { id } = await eventOf(show, 1);
    const pool = connect(findProduct()?.ownerDatabaseUrl ?? "", { poolSize: 1 });
    const history: Pool[] = [await poolIn(pool, id)];
    let latest: number | null = null;
    for (let second = 0; second < SECONDS; second += 1) {
      latest = await actOnce(show, second, latest);
      history.push(await poolIn(pool, id));
      for (const host of [show.ana, show.ben]) {
        const sinceMs = Date.now() - LATE_MS;
        const shown = await figuresOn(host);
        history.push(await poolIn(pool, id));
        const recent = history.filter(({ atMs }, index) => (history[index + 1]?.atMs ?? atMs) >= sinceMs);
        expect(
          recent.map(({ count, trueCents, falseCents }) => [count, trueCents, falseCents]),
        ).toContainEqual(shown);
      }
      await show.ana.waitForTimeout(SECOND_MS);
    }
    const last = await poolIn(pool, id);
    for (const host of [show.ana, show.ben])
      await expect.poll(() => figuresOn(host)).toEqual([last.count, last.trueCents, last.falseCents]);
    await pool.close();
  },
);

/** The players call one after the other; each third time one of them takes a call back. @returns its id. */
async function actOnce(show: TwoHostShow, second: number, latest: number | null): Promise<number> {
  const { apis } = show.players;
  const [player, before] = [apis[second % apis.length], apis[(second + apis.length - 1) % apis.length]];
  if (player === undefined || before === undefined) throw new Error("The show has no players.");
  if (latest !== null && second % 3 === 2) await before("DELETE", `/api/v1/calls/${latest}`);
  const { spots: sides } = await eventOf(show, 1);
  const { call } = await player<{ call: CallView }>("POST", "/api/v1/calls", {
    call: { spot_id: sides[second % 2 === 0 ? 0 : 1].id, wager: WAGER },
  });
  return call.id;
}

async function poolIn({ db }: DatabasePool, eventId: number): Promise<Pool> {
  const rows = await db
    .select({ side: spots.side, cents: calls.wagerCents })
    .from(calls)
    .innerJoin(spots, eq(spots.id, calls.spotId))
    .where(and(eq(calls.eventId, eventId), inArray(calls.state, ["placed", "closed"])));
  const centsOf = (which: string) =>
    rows.filter(({ side }) => side === which).reduce((total, { cents }) => total + cents, 0);
  return { atMs: Date.now(), count: rows.length, trueCents: centsOf("true"), falseCents: centsOf("false") };
}

/** The calls and the money on either side, as the room shows them. */
async function figuresOn(host: Page): Promise<number[]> {
  const text = await host.locator(".on-air .pool-part").innerText();
  const [trueDollars = 0, falseDollars = 0] = [...text.matchAll(/\$([\d.,]+)/g)].map(([, amount]) =>
    Number(amount),
  );
  return [Number(/(\d+) calls?/.exec(text)?.[1]), trueDollars * 100, falseDollars * 100];
}
