import { beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { disabledReasonForFlag, disabledReasonForSessionMove } from "#client/screens/show/disabled-reason.ts";
import { type SessionState, sessionStates } from "#db/lists/sessions.ts";
import { audit } from "#db/schema/audit.ts";
import { sessions } from "#db/schema/sessions.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { showSession } from "#src/show/sessions/show-session.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { buildAdmin, buildSession, readSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { buildSessionIn, listChanges } from "./fixtures.ts";

const deps = await testDeps();
const admin = await buildAdmin(deps);

beforeEach(async () => {
  await deps.pool.db.update(sessions).set({ active: false });
});

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
      expect(moved).toEqual(await readSession(deps, session.id));
      expect(await listChanges(deps, session.id)).toContain(name);
      const lines = await deps.pool.db.select().from(audit).where(eq(audit.sessionId, session.id));
      expect(lines).toContainEqual(
        expect.objectContaining({ actorId: admin.id, action: name, subjectType: "session" }),
      );
    },
  );

  test.each(sessionStates.filter((state) => !from.includes(state)))(
    "is refused when %s, and nothing changes",
    async (state) => {
      const session = await buildSessionIn(deps, state);
      expect(disabledReasonForSessionMove(await viewOf(session), name)).not.toBeNull();
      const refusal = await refusalOf(verbs[name](deps, command(session)));
      expect(refusal.status).toBe(422);
      expect(refusal.details.errors).toEqual({ state: [`cannot transition via "${label}"`] });
      expect(await readSession(deps, session.id)).toEqual(session);
    },
  );

  test("refuses an unknown session", async () => {
    const refusal = await refusalOf(verbs[name](deps, { sessionId: 999_999_999, actor: admin }));
    expect(refusal.status).toBe(404);
  });
});

test("a session without events cannot be started", async () => {
  const session = await buildSession(deps);
  const refusal = await refusalOf(startSession(deps, command(session)));
  expect(refusal.details).toMatchObject({
    errors: { state: ['cannot transition via "Start"'] },
    detail: "Add an event first.",
  });
  expect(await readSession(deps, session.id)).toEqual(session);
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
    await deps.pool.db.update(sessions).set({ active }).where(eq(sessions.id, id));
    return readSession(deps, id);
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
      const refusal = await refusalOf(flagVerbs[name](deps, command(session)));
      expect(refusal.details.errors).toEqual({ state: [`cannot transition via "${label}"`] });
      expect(await readSession(deps, session.id)).toEqual(session);
    },
  );
});
