import { expect, test } from "bun:test";
import path from "node:path";
import * as v from "valibot";
import { report } from "#src/dry-runs/schemas.ts";
import { runDryRun } from "#src/dry-runs/simulate/run-dry-run.ts";
import { ownVariables } from "#src/settings/env.ts";
import { buildBlueprint, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { mixedPlan, optionsOf } from "./plan.ts";

const deps = await testDeps();
const pulse = () => Promise.resolve();
const database = new URL(deps.env.databaseUrl).pathname.slice(1);
const play = (name: string, seed: number) =>
  runDryRun(deps, { plan: mixedPlan, options: optionsOf({ seed }), pulse, database: `${database}_${name}` });

test("a seed gives the same bytes after other data exists and in another process, and another seed gives others", async () => {
  const first = await play("one", 7);
  await buildRunningSession(deps);
  await buildBlueprint(deps, [{}, {}]);
  for (let count = 0; count < 5; count += 1) await buildPlayer(deps);
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
