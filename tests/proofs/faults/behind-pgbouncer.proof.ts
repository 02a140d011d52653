import { expect, test } from "bun:test";
import { and, eq, isNull } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { outbox } from "#db/schema/outbox.ts";
import { startPostgresEngine } from "#tests/engines/postgres.ts";
import { alarmOf, buildDueEvent } from "#tests/jobs/due-events.ts";
import { engineDeps, startProductOn } from "#tests/proofs/engines/engine-deps.ts";
import { startPgBouncer } from "#tests/proofs/engines/pgbouncer.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildCall, buildPlayer, readEvent } from "#tests/support/build.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { expectNothingLost, expectRefusedMeanwhile, Load, openShow } from "../load.ts";

// The whole product behind a PgBouncer in transaction mode, whose four connections to Postgres all its processes share.
const CLOSES_IN_MS = 1_000;

const postgres = await startPostgresEngine();
afterFile(() => postgres.remove());
const bouncer = await startPgBouncer(postgres);
afterFile(() => bouncer.stop());
const deps = await engineDeps(postgres);
const product = startProductOn(deps, { databaseUrl: bouncer.url, ownerUrl: postgres.ownerUrl });
const origin = await product.url;

const show = await openShow(deps);
const startLoad = () => Load.start(deps, { origin, show, paths: [`/sessions/${show.slug}`] });

test("calls, pages, transitions, settlements and broadcasts work over four connections", async () => {
  const load = await startLoad();
  const due = await buildDueEvent(deps, CLOSES_IN_MS, { resolveWithinSeconds: 0, autoResult: "true" });
  for (const side of ["true", "false"] as const) {
    const { id: userId } = await buildPlayer(deps);
    await buildCall(deps, { userId, eventId: due.id, side });
  }
  await deps.queues.setAlarm(alarmOf(due), CLOSES_IN_MS);
  await waitFor("the payouts", async () => {
    const unpaid = await deps.pool.db.$count(
      calls,
      and(eq(calls.eventId, due.id), isNull(calls.payoutCents)),
    );
    return (await readEvent(deps, due.id)).state === "resolved" && unpaid === 0;
  });
  await expectNothingLost(load);
  expect(load.met.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
  await waitFor("all facts to be broadcast", async () => {
    return (await deps.pool.db.$count(outbox, isNull(outbox.sentAt))) === 0;
  });
  const connections = await postgres.run("SELECT 1 FROM pg_stat_activity WHERE usename = 'called_it'");
  expect(connections.length).toBeLessThanOrEqual(4);
});

const losses = [
  { what: "PgBouncer", server: bouncer },
  { what: "Postgres behind it", server: postgres },
];
for (const { what, server } of losses) {
  test(`while ${what} is away requests are refused with 503, and afterwards nothing is lost`, async () =>
    expectRefusedMeanwhile(await startLoad(), {
      takeAway: () => server.kill(),
      giveBack: () => server.start(),
    }));
}
