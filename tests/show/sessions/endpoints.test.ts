import { beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import {
  disabledReasonForFlag,
  disabledReasonForSessionMove,
} from "#client/screens/show/running/disabled-reason.ts";
import { type SessionState, sessionStates } from "#db/lists/sessions.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { eventsAnswer } from "#src/show/events/schemas.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import { showSession } from "#src/show/sessions/find-session-views.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { sessionAnswer } from "#src/show/sessions/schemas.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";
import { buildSessionIn, listChanges } from "./fixtures.ts";

const { deps, db, build, read, refused, client, signedIn } = await testWorld();
const [player, asPlayer] = await signedIn.player();
const asAdmin = await client(await build.admin());

beforeEach(async () => {
  await db.update(sessions).set({ active: false });
});

test("GET /api/v1/sessions/:id finds by slug and by id, with its counts", async () => {
  const session = await build.runningSession({ name: "Friday night", settings: { leadSeconds: 3 } });
  await db.insert(registrations).values({ sessionId: session.id, userId: player.id, displayName: "Ana" });
  await deps.redis.set(`presence:session:${session.id}`, 7);
  for (const key of [session.slug, session.id]) {
    const { status, body } = await asPlayer.get(`/api/v1/sessions/${key}`);
    expect(status).toBe(200);
    expect(v.parse(sessionAnswer, body).session).toMatchObject({
      id: session.id,
      name: "Friday night",
      state: "running",
      active: true,
      eventsCount: 1,
      registrationsCount: 1,
      registered: true,
      playersOnline: 7,
      settings: { leadSeconds: 3, settlementDelaySeconds: 0, smallRoom: false },
    });
  }
  const { body } = await asAdmin.get(`/api/v1/sessions/${session.id}`);
  expect(body).toMatchObject({ session: { registered: false, registrationsCount: 1 } });
});

test("GET /api/v1/sessions/:id/events shows players the published events, admins all, in the order of positions", async () => {
  const session = await build.runningSession();
  const made = [];
  for (const [index, state] of (
    ["visible", "hidden", "open", "soft_destroyed", "resolved"] as const
  ).entries()) {
    made.push(await build.event(state, { sessionId: session.id, position: 10 - index }));
  }
  const [visible, hidden, open, , resolved] = made.map(({ id }) => id);
  const path = `/api/v1/sessions/${session.slug}/events`;
  const forPlayers = await asPlayer.read(path, eventsAnswer);
  expect(forPlayers.events.map(({ id }) => id)).toEqual([resolved, open, visible].map(Number));
  expect(forPlayers.meta).toMatchObject({ totalCount: 3, currentPage: 1 });
  const forAdmins = await asAdmin.read(path, eventsAnswer);
  expect(forAdmins.events.map(({ id }) => id).slice(1)).toEqual(
    [resolved, open, hidden, visible].map(Number),
  );
  const page = await asPlayer.read(`${path}?per_page=2&page=2`, eventsAnswer);
  expect(page.events.map(({ id }) => id)).toEqual([Number(visible)]);
});

test("GET /api/v1/sessions/:id/events: an event is only found in its own session", async () => {
  const [mine, other] = [await build.runningSession(), await build.runningSession()];
  const event = await build.event("open", { sessionId: mine.id });
  expect(await asPlayer.get(`/api/v1/sessions/${mine.slug}/events/${event.id}`)).toMatchObject({
    status: 200,
    body: { event: { id: event.id } },
  });
  expect((await asPlayer.get(`/api/v1/sessions/${other.slug}/events/${event.id}`)).status).toBe(404);
  expect((await asPlayer.get(`/api/v1/sessions/nowhere/events/${event.id}`)).status).toBe(404);
  expect((await asPlayer.get(`/api/v1/sessions/nowhere/events`)).status).toBe(404);
});

const admin = await build.admin();

/** The allowed actions and their labels, written independently of the product's tables. */
type Action = { from: SessionState[]; label: string };
const transitions: Record<"start" | "pause" | "resume" | "stop", Action & { to: SessionState }> = {
  start: { from: ["pending"], to: "running", label: "Start" },
  pause: { from: ["running"], to: "paused", label: "Pause" },
  resume: { from: ["paused"], to: "running", label: "Resume" },
  stop: { from: ["running", "paused"], to: "stopped", label: "Stop" },
};
const flagChanges: Record<"activate" | "deactivate", Action & { active: boolean }> = {
  activate: { from: ["pending", "running", "paused"], active: true, label: "Activate" },
  deactivate: { from: ["pending", "running", "paused"], active: false, label: "Deactivate" },
};

const verbs = { start: startSession, pause: pauseSession, resume: resumeSession, stop: stopSession };
const command = ({ id }: SessionRow) => ({ sessionId: id, actor: admin });
/** What the host's browser gets: it enables the buttons by the same tables. */
const viewOf = async ({ id }: SessionRow) => (await showSession(deps, id, null)).session;

describe.each(["start", "pause", "resume", "stop"] as const)("%s", (name) => {
  const { from, to, label } = transitions[name];

  test.each(sessionStates.filter((state) => from.includes(state)))(
    "leads from %s where the table says, with a fact and an audit line",
    async (state) => {
      const session = await buildSessionIn(deps, state);
      expect(disabledReasonForSessionMove(await viewOf(session), name)).toBeNull();
      const moved = await verbs[name](deps, command(session));
      expect(moved.state).toBe(to);
      expect(moved).toEqual(await read.session(session.id));
      expect(await listChanges(deps, session.id)).toContain(name);
      expect(await read.audit({ sessionId: session.id })).toContainEqual(
        expect.objectContaining({ actorId: admin.id, action: name, subjectType: "session" }),
      );
    },
  );

  test.each(sessionStates.filter((state) => !from.includes(state)))(
    "is refused when %s, and nothing changes",
    async (state) => {
      const session = await buildSessionIn(deps, state);
      expect(disabledReasonForSessionMove(await viewOf(session), name)).not.toBeNull();
      const refusal = await refused(() => verbs[name](deps, command(session)));
      expect(refusal.status).toBe(422);
      expect(refusal.details.errors).toEqual({ state: [`cannot transition via "${label}"`] });
    },
  );
});

test("a session without events cannot be started", async () => {
  const session = await build.session();
  expect((await refusalOf(startSession(deps, command(session)))).details).toMatchObject({
    errors: { state: ['cannot transition via "Start"'] },
    detail: "Add an event first.",
  });
  expect(await read.session(session.id)).toEqual(session);
});

const flagVerbs = { activate: activateSession, deactivate: deactivateSession };

describe.each(["activate", "deactivate"] as const)("%s", (name) => {
  const { from, label, active: target } = flagChanges[name];
  const cases = sessionStates.flatMap((state) =>
    [true, false].filter((active) => !(active && state === "stopped")).map((active) => ({ state, active })),
  );
  const isAllowed = ({ state, active }: { state: SessionState; active: boolean }) =>
    from.includes(state) && active !== target;
  const buildFlagged = async ({ state, active }: { state: SessionState; active: boolean }) => {
    const { id } = await buildSessionIn(deps, state);
    await db.update(sessions).set({ active }).where(eq(sessions.id, id));
    return read.session(id);
  };

  test.each(cases.filter(isAllowed))(
    "is done for a session that is $state with active $active",
    async (terms) => {
      const session = await buildFlagged(terms);
      expect(disabledReasonForFlag(await viewOf(session), name)).toBeNull();
      const moved = await flagVerbs[name](deps, command(session));
      expect(moved).toMatchObject({ active: target, state: terms.state });
    },
  );

  test.each(cases.filter((terms) => !isAllowed(terms)))(
    "is refused for a session that is $state with active $active, and nothing changes",
    async (terms) => {
      const session = await buildFlagged(terms);
      expect(disabledReasonForFlag(await viewOf(session), name)).not.toBeNull();
      const refusal = await refused(() => flagVerbs[name](deps, command(session)));
      expect(refusal.details.errors).toEqual({ state: [`cannot transition via "${label}"`] });
    },
  );
});
