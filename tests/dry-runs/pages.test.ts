import { expect, test } from "bun:test";
import { dryRuns } from "#db/schema/dry-runs.ts";
import { performDryRun } from "#src/dry-runs/simulate/perform-dry-run.ts";
import { createServer } from "#src/server.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { oneOf, parsePage, textsOf } from "#tests/pages/ssr/parse-page.ts";
import { only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build } = await testWorld();
const reader = await readerFor(deps, createServer(deps), await build.admin());
const { id: blueprintId } = await build.blueprint([{ durationSeconds: 20 }, { durationSeconds: 20 }]);
const path = `/blueprints/${blueprintId}/dry_run`;
const wish = { intent: "start", players: "8", skew: "60", latency_ms: "400", late_taps: "20", seed: "7" };

test("a dry run is started on its page, which shows how far it is, then the report and a link to it as JSON", async () => {
  expect((await reader.open(path)).html).toContain("Not played yet");
  const started = await reader.sendForm(path, wish);
  const { id } = only(await db.select({ id: dryRuns.id }).from(dryRuns));
  expect([started.status, started.location]).toEqual([303, `${path}?run=${id}`]);

  const waiting = parsePage((await reader.open(`${path}?run=${id}`)).html);
  const progress = oneOf(waiting, 'section[aria-label="Progress"]');
  expect(progress.textContent).toContain("8 players, seed 7");
  expect(progress.textContent).toContain("Waiting for the worker to begin.");
  expect(oneOf(waiting, "progress").getAttribute("max")).toBe("2");

  await performDryRun(deps, id);
  const done = parsePage((await reader.open(`${path}?run=${id}`)).html);
  expect(done.body.textContent).toContain("All 10 checks hold.");
  expect(textsOf(done, "h2")).toContain("What would feel rushed");
  const link = oneOf(done, "a[download]").getAttribute("href") ?? "";
  const report = await reader.open(link);
  expect(report.status).toBe(200);
  expect(JSON.parse(report.html)).toMatchObject({ options: { seed: 7, players: 8 } });
});

test("a dry run with too many players is refused in the form, and none is started", async () => {
  const before = await db.select().from(dryRuns);
  const { status, html } = await reader.sendForm(path, { ...wish, players: "1000000" });
  expect(status).toBe(422);
  const field = oneOf(parsePage(html), 'input[name="players"]');
  expect([field.getAttribute("value"), field.getAttribute("aria-invalid")]).toEqual(["1000000", "true"]);
  expect(await db.select().from(dryRuns)).toEqual(before);
});
