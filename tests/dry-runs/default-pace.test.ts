import { expect, test } from "bun:test";
import { desc } from "drizzle-orm";
import * as v from "valibot";
import { planTimes } from "#client/blueprints/plan-times.ts";
import { originalPlan } from "#client/running-order/schedule.ts";
import { listChecks } from "#client/screens/show/start/checklist.tsx";
import { dryRuns } from "#db/schema/dry-runs.ts";
import { dryRunAnswer, dryRunsAnswer } from "#src/dry-runs/schemas.ts";
import { performDryRun } from "#src/dry-runs/simulate/perform-dry-run.ts";
import type { EventRecord, Play, Tap } from "#src/dry-runs/simulate/play.ts";
import { findRushed } from "#src/dry-runs/simulate/write-report.ts";
import { blueprintAnswer } from "#src/show/blueprints/schemas.ts";
import { paceRules } from "#src/show/events/pace/contract.ts";
import { eventsAnswer } from "#src/show/events/schemas.ts";
import { sessionAnswer } from "#src/show/sessions/schemas.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { planOf } from "./plan.ts";

const { deps, db, server, signedIn } = await testWorld();
const [user, asAdmin] = await signedIn.admin();
const reader = await readerFor(deps, server, user);

/** A blueprint of this text, as somebody pastes it into a new one. */
async function plan(name: string, text: string) {
  const sent = await asAdmin.send("POST", "/api/v1/blueprints/import", { blueprint: { name, text } });
  return v.parse(blueprintAnswer, sent.body).blueprint;
}

/** What the dry run calls rushed: "rule event", and the id of the run. */
async function played(blueprintId: number) {
  const path = `/api/v1/blueprints/${blueprintId}/dry_runs`;
  await asAdmin.send("POST", path, { dry_run: { players: 12 } });
  const { id } = only(await db.select({ id: dryRuns.id }).from(dryRuns).orderBy(desc(dryRuns.id)).limit(1));
  await performDryRun(deps, id);
  const { dryRun } = await asAdmin.read(`/api/v1/dry_runs/${id}`, dryRunAnswer);
  return { id, rushed: (dryRun.report?.rushed ?? []).map(({ rule, event }) => `${rule} ${event}`) };
}

/** What the checklist of a session of this plan says about the pace. */
async function checkedPace(blueprintId: number): Promise<string> {
  const made = await asAdmin.send("POST", `/api/v1/blueprints/${blueprintId}/generate_session`);
  const { session } = v.parse(sessionAnswer, made.body);
  const { body } = await asAdmin.get(`/api/v1/sessions/${session.slug}/events`);
  const { events } = v.parse(v.object({ events: eventsAnswer.entries.events }), body);
  const checks = listChecks({
    session,
    events,
    planned: originalPlan(session, events),
    activeElsewhere: null,
  });
  return checks.find(({ name }) => name === "pace")?.text ?? "";
}

test("a plan as it is pasted is not rushed, neither by its dry run nor by its checklist", async () => {
  const lines = Array.from(
    { length: 8 },
    (_, index) => `Will number ${index} come? | Yes | No | ${10 + index * 5}`,
  );
  const { id, blueprintEvents } = await plan("As pasted", lines.join("\n"));
  expect(planTimes(blueprintEvents).slice(0, 2)).toMatchObject([
    { opensAtSeconds: 0, atLeast: false },
    { opensAtSeconds: 25, atLeast: true },
  ]);
  const { rushed } = await played(id);
  // Late taps are of the players, not of the plan.
  expect(rushed.filter((remark) => !remark.startsWith("many_late_taps"))).toEqual([]);
  expect(await checkedPace(id)).toBe("There is time between the actions.");
}, 60_000);

test("what is rushed is remarked by both, and one button changes the plan so that both are content", async () => {
  const long =
    "Will one of the two teams that nobody had expected here score in the first five minutes of the second half?";
  const text = [
    "question,seconds,start,wait,result within,result,description,explanation",
    `First?,20,,,60,,,${"why ".repeat(30)}`,
    "Too soon?,20,after previous,2,60,",
    "By itself?,20,after previous,10,30,true",
    "After that?,20,after previous,8,60,",
    `Long?,6,after previous,10,4,,"${long} ${long}"`,
    "Fixed?,20,at 3:00,,60,",
    "Fixed too?,20,at 3:21,,60,",
  ].join("\n");
  const { id } = await plan("Rushed", text);
  const { id: runId, rushed } = await played(id);
  const ofPlan = rushed.filter((remark) => !remark.startsWith("many_late_taps"));
  const pace = await checkedPace(id);
  expect(ofPlan.map((remark) => remark.split(" ")[1])).toEqual(["2", "4", "5", "5", "7"]);
  expect(ofPlan.every((remark) => paceRules.some((rule) => remark.startsWith(rule)))).toBe(true);
  expect(pace).toContain("before it opens: 2, 4, 7.");
  expect(pace).toContain("to read and to call: 5.");
  expect(pace).toContain("to give the result: 5.");

  const page = `/blueprints/${id}/dry_run`;
  const sent = await reader.sendForm(page, { intent: "fix", run: String(runId) });
  expect([sent.status, sent.location]).toEqual([303, `${page}?run=${runId}&said=fixed`]);
  const again = await played(id);
  expect(again.rushed.filter((remark) => !remark.startsWith("many_late_taps"))).toEqual([]);
  expect(await checkedPace(id)).toBe("There is time between the actions.");
  // The remarks of the first run are about another plan now.
  const outdated = await reader.sendForm(page, { intent: "fix", run: String(runId) });
  expect(outdated.status).toBe(422);
  expect((await asAdmin.read(`/api/v1/blueprints/${id}/dry_runs`, dryRunsAnswer)).dryRuns).toHaveLength(2);
}, 60_000);

type Played = Pick<Play, "plan" | "records" | "taps">;

/** An event that is visible, opens 5 s later, is open for 20 s, and has its result 4 s after that. */
function recordAt(visibleAtMs: number, openMs = 20_000): EventRecord {
  const openedAtMs = visibleAtMs + 5_000;
  const closesAtMs = openedAtMs + openMs;
  const resolvedAtMs = closesAtMs + 4_000;
  return {
    visibleAtMs,
    openedAtMs,
    closesAtMs,
    closedAtMs: closesAtMs,
    decidedAtMs: resolvedAtMs,
    resolvedAtMs,
    paidAtMs: resolvedAtMs,
    result: "true",
  };
}

function tapOn(event: number, answer: string): Tap {
  return {
    event,
    player: 0,
    side: "true",
    wagerCents: 100,
    tappedAtMs: 0,
    arrivedAtMs: 0,
    answer,
    callId: null,
  };
}

const rushedIn = (played: Played) =>
  findRushed(played).map(
    ({ rule, event, measured, wanted }) => `${rule} ${event}: ${measured}, not ${wanted}`,
  );

test("a calm show is not rushed", () => {
  const records = [recordAt(0), recordAt(40_000)];
  const taps = [...Array.from({ length: 9 }, () => tapOn(0, "placed")), tapOn(0, "late")];
  expect(rushedIn({ plan: planOf({}, {}), records, taps })).toEqual([]);
});

test("what is read of an explanation counts as time after a result, up to ten seconds", () => {
  const records = [recordAt(0), recordAt(31_000)];
  const after = (words: number) =>
    rushedIn({ plan: planOf({ explanation: "why ".repeat(words) }, {}), records, taps: [] });
  expect([after(0), after(23)]).toEqual([[], []]);
  expect(after(30)).toEqual(["no_pause_after_result 2: 7, not 9"]);
  expect(after(90)).toEqual(["no_pause_after_result 2: 7, not 10"]);
});

test("many taps after the close are found, and few are not", () => {
  const taps = [tapOn(0, "late"), ...Array.from({ length: 8 }, () => tapOn(0, "placed"))];
  expect(rushedIn({ plan: planOf({}), records: [recordAt(0)], taps })).toEqual([
    "many_late_taps 1: 11.1, not 10",
  ]);
});
