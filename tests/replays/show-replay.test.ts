import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { createTimeline } from "#client/screens/replay/timeline.ts";
import { type Transaction, inTransaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { excludePlayer, restorePlayer } from "#src/play/leaderboard/exclude-player.ts";
import { exportReplay } from "#src/replays/export-replay.ts";
import type { ReplayStep } from "#src/replays/schemas.ts";
import { recomputeDecision, showDecisions } from "#src/replays/show-decisions.ts";
import { showReplay } from "#src/replays/show-replay.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { signedInClient } from "#tests/support/client.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { setRows } from "#tests/support/rows.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";

const { deps, server, db, build, timer, by } = await testWorld();
const admin = await build.admin();
const asPlayer = ({ id }: { id: number }) => findViewer(db, id);
const host = await asPlayer(admin);
const ana = await build.player();
const ben = await build.player();
const stranger = await build.player();

/** A session with a hidden draft, and an event that was resolved and corrected; its question would be a formula. */
async function playSession() {
  const { session, event } = await build.openShow({ title: "=1+1, who wins?" });
  await build.call({ userId: ana.id, eventId: event.id, side: "true", wagerCents: 300 });
  await build.call({ userId: ben.id, eventId: event.id, side: "false", wagerCents: 200 });
  await by(admin).pause(session.id);
  const paused = { sessionId: session.id, actor: null };
  await timer.close(event.id);
  const verdict = { eventId: event.id, actor: null, reason: "Seen again" };
  await resolveAndPay(deps, { ...verdict, result: "true" });
  await resolveAndPay(deps, { ...verdict, result: "false" });
  await stopSession(deps, paused);
  return { slugOrId: session.slug, sessionId: session.id, event };
}

const played = await playSession();
const { slugOrId } = played;

const statesAt = (steps: readonly ReplayStep[]) => {
  const { timesMs, stateAt } = createTimeline(steps);
  return timesMs.map((atMs) => stateAt(atMs));
};

test("players of a stopped session see its replay, without drafts and without what people did", async () => {
  const mine = await showReplay(deps, { slugOrId, viewer: await asPlayer(ana), query: {} });
  const full = await showReplay(deps, { slugOrId, viewer: host, query: {} });
  expect(mine.full).toBe(false);
  const drafts = (steps: readonly ReplayStep[]) =>
    steps.flatMap(({ events }) => events.filter(({ state, shown }) => state === "draft" && shown));
  expect(drafts(mine.steps)).toEqual([]);
  expect(drafts(full.steps)).not.toEqual([]);
  expect(mine.steps.flatMap(({ acts }) => acts)).toEqual([]);
  expect(full.steps.flatMap(({ acts }) => acts.map(({ action }) => action))).toContain("pause");
  expect(statesAt(mine.steps).at(-1)).toMatchObject({
    session: { state: "stopped" },
    events: [{ state: "resolved", result: "false", corrections: 1, pool: { trueCents: 300, falseCalls: 1 } }],
    leaders: {
      leaders: [
        { userId: ben.id, netCents: 300 },
        { userId: ana.id, netCents: -300 },
      ],
    },
  });
  const text = JSON.stringify(mine);
  for (const secret of [ana.email, ben.email, "accountId", "balance", "idempotency"])
    expect(text).not.toContain(secret ?? "-");
});

test("a replay that players have read before shows a later correction", async () => {
  const later = await playSession();
  const read = async () => {
    const { steps } = await showReplay(deps, {
      slugOrId: later.slugOrId,
      viewer: await asPlayer(ana),
      query: {},
    });
    return {
      steps,
      last: statesAt(steps)
        .at(-1)
        ?.events.find(({ id }) => id === later.event.id),
    };
  };
  const first = await read();
  expect((await read()).steps).toEqual(first.steps);
  expect(first.last).toMatchObject({ result: "false", corrections: 1 });
  await timer.settle(later.event.id, "void", { reason: "Rain" });
  expect((await read()).last).toMatchObject({ result: "void", corrections: 2 });
});

test("at each moment a replay has the leaders of then: after a result, an exclusion and its end, and a reset", async () => {
  const { id: sessionId, slug } = await build.runningSession();
  const { id: eventId } = await build.event("open", { sessionId });
  await build.call({ userId: ana.id, eventId, side: "true", wagerCents: 200 });
  await build.call({ userId: ben.id, eventId, side: "false", wagerCents: 200 });
  await timer.settle(eventId);
  const excluded = { actor: admin, userId: ana.id, sessionId: String(sessionId), reason: "Test" };
  const { exclusion } = await excludePlayer(deps, excluded);
  await restorePlayer(deps, { actor: admin, exclusionId: exclusion.id });
  await by(admin).reset(eventId, "Asked wrongly");
  const { steps } = await showReplay(deps, { slugOrId: slug, viewer: host, query: {} });
  const boards = steps.flatMap(({ leaders }) => (leaders === null ? [] : [leaders.leaders]));
  const shown = boards.map((board) => board.map(({ userId, rank, netCents }) => [userId, rank, netCents]));
  const both = [
    [ana.id, 1, 200],
    [ben.id, 2, -200],
  ];
  expect(shown).toEqual([both, [[ben.id, 1, -200]], both, []]);
  const states = steps.flatMap(({ events }) => events.map(({ state, round }) => `${state} ${round}`));
  expect(states.slice(-2)).toEqual(["resolved 1", "draft 2"]);
});

test("strangers, and players before the end, get 404", async () => {
  const { session: live, event } = await build.openShow();
  await build.call({ userId: ana.id, eventId: event.id });
  const before = await digestTables(db);
  const refused = [
    { slugOrId, viewer: await asPlayer(stranger) },
    { slugOrId: live.slug, viewer: await asPlayer(ana) },
    { slugOrId: "no-such-session", viewer: host },
  ];
  for (const request of refused) {
    expect(await refusalOf(showReplay(deps, { ...request, query: {} }))).toMatchObject({ status: 404 });
    const csv = exportReplay(deps, { ...request, query: { format: "csv" } });
    expect(await refusalOf(csv)).toMatchObject({ status: 404 });
  }
  expect(await refusalOf(recomputeDecision(deps, 999_999_999))).toMatchObject({ status: 404 });
  expect(await digestTables(db)).toEqual(before);
  expect(await showReplay(deps, { slugOrId: live.slug, viewer: host, query: {} })).toMatchObject({
    full: true,
  });
});

test("a long replay comes in parts, which together are the whole", async () => {
  const whole = await showReplay(deps, { slugOrId, viewer: host, query: {} });
  const steps: ReplayStep[] = [];
  let parts = 0;
  for (let after: string | null | undefined; after !== null; parts += 1) {
    const query = { until: whole.until, ...(after === undefined ? {} : { after }) };
    const part = await showReplay(deps, { slugOrId, viewer: host, query }, { partChanges: 3 });
    steps.push(...part.steps);
    after = part.next;
  }
  expect(parts).toBeGreaterThan(3);
  expect(steps).toEqual(whole.steps);
  const head = await showReplay(deps, { slugOrId, viewer: host, query: { head: "true" } });
  expect(head).toMatchObject({ steps: [], players: [], next: null, full: true });
});

test("the exports have the same changes, and a CSV file runs no formula", async () => {
  await db.execute(
    sql`UPDATE sessions SET settings = settings || '{"teams":["Red","Blue"]}' WHERE id = ${played.sessionId}`,
  );
  await db.execute(sql`UPDATE registrations SET team = 2 WHERE user_id = ${ben.id}`);
  const request = { slugOrId, viewer: await asPlayer(ana) };
  const bytes = await (await exportReplay(deps, { ...request, query: { format: "csv" } })).arrayBuffer();
  // The byte order mark, by which a spreadsheet reads the letters right.
  expect([...new Uint8Array(bytes).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const csv = new TextDecoder().decode(bytes);
  const json: unknown = await (await exportReplay(deps, { ...request, query: { format: "json" } })).json();
  const lines = csv.trimEnd().split("\r\n");
  expect(lines[0]).toStartWith("at,second,kind,session_state,event_id,position,question");
  expect(csv).toContain(`"'=1+1, who wins?"`);
  expect(csv).not.toContain(`"=1+1`);
  expect(lines[0]).toEndWith(",rank,player,wins,losses,net,team");
  expect(csv).toContain(`,1,${ben.username},1,0,3,Blue\r\n`);
  expect(json).toMatchObject({ session: { slug: slugOrId }, complete: true, derived_until: null });
  expect(json).toHaveProperty("changes.length", lines.length - 1);
  expect(json).toHaveProperty("changes.0.kind", "session");
  for (const text of [csv, JSON.stringify(json)]) expect(text).not.toContain(ana.email ?? "-");
});

test("every decision of a session is recomputed, also the replaced one, and a difference is found", async () => {
  const decisions = await showDecisions(db, slugOrId);
  expect(decisions).toMatchObject([
    { eventId: played.event.id, version: 1, result: "true", superseded: true, callsCount: 2 },
    { eventId: played.event.id, version: 2, result: "false", superseded: false, callsCount: 2 },
  ]);
  for (const { id } of decisions) {
    expect(await recomputeDecision(deps, id)).toMatchObject({
      check: { id, callsCount: 2, paidCents: 500, differencesCount: 0, differences: [] },
    });
  }
  const tooMany = recomputeDecision(deps, decisions[0]?.id ?? 0, { callsMax: 1 });
  expect(await refusalOf(tooMany)).toMatchObject({ status: 422 });
});

test("nobody changes the log, not even the owner of the tables", async () => {
  const before = await digestTables(db);
  const violations = [
    "UPDATE session_log SET at = now()",
    "DELETE FROM session_log",
    "TRUNCATE session_log",
    "INSERT INTO session_log (step, kind, subject_id, detail) VALUES (1, 'guest', 1, '{}')",
  ];
  for (const statement of violations) {
    const error = await db.execute(sql.raw(statement)).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error, statement).toMatchObject({ cause: { errno: "23514" } });
  }
  expect(await digestTables(db)).toEqual(before);
});

test("a step cannot be added to that of another transaction", async () => {
  const session = await build.runningSession();
  const [row] = await db.execute(
    sql`SELECT max(step) AS step FROM session_log WHERE session_id = ${session.id}`,
  );
  await db.transaction(async (tx) => {
    await tx.execute(sql`SELECT set_config('called_it.log_step', ${String(row?.["step"])}, true)`);
    await tx.execute(sql`UPDATE sessions SET name = 'Renamed' WHERE id = ${session.id}`);
  });
  const [after] = await db.execute(
    sql`SELECT count(*)::int AS count FROM session_log WHERE step = ${row?.["step"]} AND detail ->> 'name' = 'Renamed'`,
  );
  expect(after).toEqual({ count: 0 });
});

// What an event was in the middle of a transaction nobody has seen, so no replay shows it to players.

const SECRET = "Zebra question";

/** A running session in which a player has called. */
async function buildPlayed() {
  const session = await build.runningSession();
  const player = await build.player();
  const event = await build.event("open", { sessionId: session.id, title: "Will it rain?" });
  await build.call({ userId: player.id, eventId: event.id });
  return { session, player };
}
type Played = Awaited<ReturnType<typeof buildPlayed>>;

/** The replay as the API, both exports and the page have it. */
async function readEverywhere({ session }: Played, user: { id: number; email: string | null }) {
  const client = await signedInClient(deps, server, user);
  const replay = `/api/v1/sessions/${session.slug}/replay`;
  const texts = new Map<string, string>();
  for (const path of [replay, `${replay}/export?format=csv`, `${replay}/export?format=json`]) {
    const { status, body } = await client.get(path);
    expect([path, status]).toEqual([path, 200]);
    texts.set(path, typeof body === "string" ? body : JSON.stringify(body));
  }
  const page = `/sessions/${session.slug}/replay`;
  const { status, html } = await (await readerFor(deps, server, user)).open(page);
  expect([page, status]).toEqual([page, 200]);
  return texts.set(page, html);
}

/** The API and the exports; the page without JavaScript shows the questions of its last moment only. */
async function expectShown(played: Played, { toPlayers }: { toPlayers: boolean }): Promise<void> {
  for (const [path, text] of await readEverywhere(played, played.player)) {
    if (path.startsWith("/api")) expect([path, text.includes("Will it rain?")]).toEqual([path, true]);
    if (path.startsWith("/api") || !toPlayers)
      expect([path, text.includes(SECRET)]).toEqual([path, toPlayers]);
  }
  for (const [path, text] of await readEverywhere(played, admin))
    if (path.startsWith("/api")) expect([path, text.includes(SECRET)]).toEqual([path, true]);
}

test("the questions that a stop has hidden unplayed are shown to no player", async () => {
  const played = await buildPlayed();
  const { id: sessionId } = played.session;
  await build.draft({ sessionId, title: SECRET, trueLabel: `${SECRET}: yes` });
  await by(admin).stop(sessionId);
  await expectShown(played, { toPlayers: false });
});

const set = (tx: Transaction, eventId: number, state: (typeof events.$inferSelect)["state"]) =>
  tx.update(events).set({ state }).where(eq(events.id, eventId));
const reset = (tx: Transaction, eventId: number) =>
  setRows(tx, events, eq(events.id, eventId), { state: "draft", round: sql`${events.round} + 1` });

test.each<[string, boolean, (tx: Transaction, eventId: number) => Promise<unknown>]>([
  [
    "published and reset",
    false,
    async (tx, eventId) => {
      await set(tx, eventId, "visible");
      await reset(tx, eventId);
    },
  ],
  [
    "published, hidden and deleted",
    false,
    async (tx, eventId) => {
      for (const state of ["visible", "hidden", "soft_destroyed"] as const) await set(tx, eventId, state);
    },
  ],
  [
    "published, hidden and shown again",
    true,
    async (tx, eventId) => {
      for (const state of ["visible", "hidden", "visible"] as const) await set(tx, eventId, state);
    },
  ],
])("a draft that is %s in one transaction is what it is at its end", async (_name, toPlayers, change) => {
  const played = await buildPlayed();
  const { id: sessionId } = played.session;
  const { id } = await build.draft({ sessionId, title: SECRET });
  await inTransaction(db, (tx) => change(tx, id));
  await by(admin).stop(sessionId);
  await expectShown(played, { toPlayers });
});
