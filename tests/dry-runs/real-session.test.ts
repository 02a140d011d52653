import { expect, test } from "bun:test";
import path from "node:path";
import { asc, inArray } from "drizzle-orm";
import * as v from "valibot";
import { calls } from "#db/schema/calls.ts";
import { report } from "#src/dry-runs/schemas.ts";
import { runDryRun } from "#src/dry-runs/simulate/run-dry-run.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { ownVariables } from "#src/settings/env.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { testWorld } from "#tests/support/world.ts";
import { mixedPlan, optionsOf, planOf } from "./plan.ts";

const { deps, db, by, build, read, stopClockAt } = await testWorld();
// The host starts every event, so that no time passes between two of them.
const plan = planOf(
  { startMode: "by_hand" },
  { startMode: "by_hand" },
  { startMode: "by_hand", maxWagerCents: 450 },
);

test("its payouts are those of the same calls in a real session", async () => {
  await stopClockAt(new Date("2026-11-23T20:00:00Z"));
  const database = `${new URL(deps.env.databaseUrl).pathname.slice(1)}_real`;
  const dryRun = {
    plan,
    options: optionsOf({ players: 20, lateTaps: 5 }),
    pulse: () => Promise.resolve(),
    database,
  };
  const played = v.parse(report, JSON.parse(await runDryRun(deps, dryRun)));
  const placed = played.calls.filter(({ answer }) => answer === "placed");
  expect(placed.length).toBeGreaterThan(30);

  const { host, eventIds } = await openRealSession();
  const players = await Promise.all(played.players.map(() => build.player()));
  const callIds: number[] = [];
  for (const [index, eventId] of eventIds.entries()) {
    const command = { eventId, actor: host };
    await by(host).publish(eventId);
    await by(host).open(eventId);
    const spots = await read.spots(eventId);
    for (const { player, side, wagerCents } of placed.filter(({ event }) => event === index + 1)) {
      const viewer = { id: players[player - 1]?.id ?? 0 };
      const idempotencyKey = crypto.randomUUID();
      const spotId = spots[side].id;
      const { callId } = await placeCall(deps, { viewer, spotId, wagerCents, idempotencyKey });
      callIds.push(callId);
    }
    await by(host).close(eventId);
    await resolveAndPay(deps, { ...command, result: played.events[index]?.result ?? null });
  }
  expect(await readPayouts(callIds)).toEqual(
    placed
      .toSorted((one, other) => one.event - other.event)
      .map(({ wagerCents, outcome, payoutCents }) => ({ wagerCents, outcome, payoutCents })),
  );
});

async function openRealSession() {
  const host = await build.admin();
  const blueprint = await build.blueprint(plan.events, { defaults: plan.settings });
  const session = await generateSession(deps, { actor: host, blueprintId: blueprint.id });
  await by(host).start(session.id);
  return { host, eventIds: (await read.events(session.id)).map(({ id }) => id) };
}

function readPayouts(callIds: readonly number[]) {
  return db
    .select({ wagerCents: calls.wagerCents, outcome: calls.outcome, payoutCents: calls.payoutCents })
    .from(calls)
    .where(inArray(calls.id, [...callIds]))
    .orderBy(asc(calls.id));
}

const pulse = () => Promise.resolve();
const database = new URL(deps.env.databaseUrl).pathname.slice(1);
const play = (name: string, seed: number) =>
  runDryRun(deps, { plan: mixedPlan, options: optionsOf({ seed }), pulse, database: `${database}_${name}` });

test("a seed gives the same bytes after other data exists and in another process, and another seed gives others", async () => {
  const first = await play("one", 7);
  await build.runningSession();
  await build.blueprint([{}, {}]);
  for (let count = 0; count < 5; count += 1) await build.player();
  const [elsewhere, other] = await Promise.all([playElsewhere(7), play("three", 8)]);
  expect(elsewhere).toBe(first);
  expect(other).not.toBe(first);

  const played = v.parse(report, JSON.parse(first));
  expect(played.invariants.filter(({ holds }) => !holds)).toEqual([]);
  expect(played.summary).toMatchObject({ ledgerSumCents: 0, tapsCount: played.calls.length });
  expect(played.summary.callsCount).toBeGreaterThan(20);
  expect(played.summary.lateCount).toBeGreaterThan(0);
  const { wageredCents, paidCents, refundedCents } = played.summary;
  expect(paidCents + refundedCents).toBe(wageredCents);
  const results = played.events.map(({ result }) => result);
  expect(results.every((result) => result === "true" || result === "false")).toBe(true);
  expect(results[2]).toBe("true");
  expect(played.timeline.at(0)).toEqual({ atMs: 0, what: "session_started", event: null });
  expect(played.timeline.at(-1)).toMatchObject({ what: "session_stopped" });
});

/** The same dry run in another process, with another secret. */
async function playElsewhere(seed: number): Promise<string> {
  const input = { database: `${database}_two`, plan: mixedPlan, options: optionsOf({ seed }) };
  const child = Bun.spawn([process.execPath, path.join(import.meta.dir, "print-dry-run.ts")], {
    stdin: new Blob([JSON.stringify(input)]),
    stderr: "inherit",
    env: {
      ...ownVariables(),
      NODE_ENV: "test",
      LOG_LEVEL: "silent",
      DATA_DIR: path.join(deps.env.dataDir, "elsewhere"),
      DATABASE_URL: deps.env.databaseUrl,
      SECRET_KEY: "another secret that is only ever used in tests",
      TZ: "Pacific/Auckland",
    },
  });
  return new Response(child.stdout).text();
}
