import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { createServer } from "#src/server.ts";
import { eventAnswer, eventsAnswer } from "#src/show/events/schemas.ts";
import { pauseSession } from "#src/show/sessions/pause-session.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  readEvent,
} from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);
const player = await buildPlayer(deps);
const signedOut = await signedOutClient(server);
const asPlayer = await signedInClient(deps, server, player);
const asAdmin = await signedInClient(deps, server, await buildAdmin(deps));

const resolution = { event: { state_event: "resolve", result: true } };

describe("GET /api/v1/events/:id", () => {
  test("returns an event with the viewer's own calls", async () => {
    const event = await buildEvent(deps, "open", {
      trueLabel: "Yes",
      minWagerCents: 50,
      maxWagerCents: 1_000,
    });
    const callId = await buildCall(deps, { userId: player.id, eventId: event.id, wagerCents: 250 });
    await buildCall(deps, { userId: (await buildPlayer(deps)).id, eventId: event.id, side: "false" });
    const { status, body } = await asPlayer.get(`/api/v1/events/${event.id}`);
    expect(status).toBe(200);
    const { event: view } = v.parse(eventAnswer, body);
    expect(view).toMatchObject({
      id: event.id,
      state: "open",
      result: null,
      voided: false,
      trueLabel: "Yes",
      minWager: 0.5,
      minWagerCents: 50,
      maxWager: 10,
      pool: { true: 2.5, false: 1, total: 3.5 },
      callsCount: 2,
      spots: [
        { side: "true", label: "Yes", poolCents: 250, won: null },
        { side: "false", label: "False", poolCents: 100 },
      ],
    });
    expect(view.myCalls.map((call) => call.id)).toEqual([callId]);
  });
});

describe("the plan of an event", () => {
  const planned = {
    autoResult: "true",
    startMode: "offset",
    offsetSeconds: 40,
    resolveWithinSeconds: 9,
  } as const;

  test("is shown to admins, in lists too", async () => {
    const session = await buildRunningSession(deps);
    const event = await buildEvent(deps, "open", { ...planned, sessionId: session.id });
    const plan = {
      ...planned,
      nextTransition: "close_event",
      dueAt: event.closesAt?.toISOString(),
      remainingMs: null,
      paying: null,
      decided: null,
    };
    const shown = await asAdmin.get(`/api/v1/events/${event.id}`);
    expect(v.parse(eventAnswer, shown.body).event.plan).toStrictEqual<unknown>(plan);
    const listed = await asAdmin.get(`/api/v1/sessions/${session.slug}/events`);
    expect(v.parse(eventsAnswer, listed.body).events.at(-1)?.plan).toStrictEqual<unknown>(plan);
  });

  test("has the remaining time while the session is paused", async () => {
    const session = await buildRunningSession(deps);
    const event = await buildEvent(deps, "open", { sessionId: session.id });
    await pauseSession(deps, { sessionId: session.id, actor: null });
    const { body } = await asAdmin.get(`/api/v1/events/${event.id}`);
    const { plan } = v.parse(eventAnswer, body).event;
    expect(plan).toMatchObject({ nextTransition: "close_event", dueAt: null });
    expect(plan?.remainingMs).toBeGreaterThan(0);
  });

  test("is hidden from players, because it can reveal the result", async () => {
    const event = await buildEvent(deps, "open", planned);
    const shown = await asPlayer.get(`/api/v1/events/${event.id}`);
    expect(v.parse(eventAnswer, shown.body).event.plan).toBeNull();
    const listed = await asPlayer.get("/api/v1/events");
    expect(v.parse(eventsAnswer, listed.body).events.map(({ plan }) => plan)).not.toContainEqual(
      expect.anything(),
    );
  });
});

describe("GET /api/v1/events/:id of an invisible event", () => {
  test.each(["draft", "hidden", "soft_destroyed"] as const)(
    "answers 404 to players for a %s event",
    async (state) => {
      const event = await buildEvent(deps, state);
      expect(await asPlayer.get(`/api/v1/events/${event.id}`)).toMatchObject({
        status: 404,
        body: { error: "not found", code: "not_found" },
      });
    },
  );

  test("shows drafts and hidden events to admins, but no destroyed ones", async () => {
    const answers = await Promise.all(
      (["draft", "hidden", "soft_destroyed"] as const).map(async (state) => {
        const { id } = await buildEvent(deps, state);
        return (await asAdmin.get(`/api/v1/events/${id}`)).status;
      }),
    );
    expect(answers).toEqual([200, 200, 404]);
  });

  test.each(["0", "999999999", "abc", "1e3", "-1", "99999999999999999999"])(
    "does not find %s",
    async (id) => {
      expect((await asPlayer.get(`/api/v1/events/${id}`)).status).toBe(404);
    },
  );

  test("needs a sign-in", async () => {
    const event = await buildEvent(deps, "open");
    expect(await signedOut.get(`/api/v1/events/${event.id}`)).toMatchObject({
      status: 401,
      body: { code: "unauthenticated" },
    });
  });
});

describe("PATCH /api/v1/events/:id/state", () => {
  test("resolves with the result of the body", async () => {
    const { id: sessionId } = await buildRunningSession(deps);
    const event = await buildEvent(deps, "open", { sessionId });
    const { status, body } = await asAdmin.send("PATCH", `/api/v1/events/${event.id}/state`, {
      event: {
        state_event: "resolve",
        result: "void",
        reason: "Rained off",
        effective_at: "2026-01-01T00:00:00Z",
      },
    });
    expect(status).toBe(200);
    expect(v.parse(eventAnswer, body).event).toMatchObject({
      state: "resolved",
      result: null,
      voided: true,
      resultReason: "Rained off",
    });
  });

  test("opens by the new state, and accepts camelCase", async () => {
    const one = await buildEvent(deps, "visible");
    const other = await buildEvent(deps, "visible");
    const bodies = [{ event: { state: "open" } }, { event: { stateEvent: "open_event" } }];
    for (const [index, event] of [one, other].entries()) {
      const answer = await asAdmin.send("PATCH", `/api/v1/events/${event.id}/state`, bodies[index]);
      expect(answer).toMatchObject({ status: 200, body: { event: { state: "open" } } });
    }
  });

  test.each([
    [{ event: { state_event: "open_event" } }, 422, { stateEvent: ["cannot transition when Resolved"] }],
    [{ event: { state_event: "explode" } }, 422, { stateEvent: ["is invalid"] }],
    [{ event: { state_event: "resolve" } }, 422, { result: ["is required"] }],
    [{ event: { state_event: "resolve", result: false } }, 422, { reason: ["is required"] }],
    [{ event: { state: "gone" } }, 422, { state: ["is invalid"] }],
    [{ event: { state_event: "resolve", result: "maybe" } }, 422, { result: ["is invalid"] }],
    [{ event: { state_event: "resolve", result: false, reason: "a\0b" } }, 422, { reason: ["is invalid"] }],
    [{ event: { state_event: "resolve", result: false, reason: "  " } }, 422, { reason: ["is required"] }],
    [{ event: { state_event: "resolve", roles: ["admin"] } }, 422, { roles: ["is invalid"] }],
    [{ state_event: "resolve" }, 400, undefined],
  ])("refuses %j, and nothing changes", async (body, status, errors) => {
    const event = await buildEvent(deps, "resolved");
    const answer = await asAdmin.send("PATCH", `/api/v1/events/${event.id}/state`, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(errors === undefined ? {} : { errors });
    expect(await readEvent(deps, event.id)).toEqual(event);
  });
});

describe("PATCH /api/v1/events/:id/state without permission or event", () => {
  test("is for admins", async () => {
    const event = await buildEvent(deps, "open");
    const path = `/api/v1/events/${event.id}/state`;
    expect((await signedOut.send("PATCH", path, resolution)).status).toBe(401);
    expect((await asPlayer.send("PATCH", path, resolution)).status).toBe(403);
    expect(await readEvent(deps, event.id)).toEqual(event);
  });

  test("answers 404 for an unknown event", async () => {
    expect((await asAdmin.send("PATCH", "/api/v1/events/999999999/state", resolution)).status).toBe(404);
  });
});

describe("DELETE /api/v1/events/:id", () => {
  test("removes an event, for admins", async () => {
    const event = await buildEvent(deps, "visible");
    const path = `/api/v1/events/${event.id}`;
    expect((await signedOut.send("DELETE", path)).status).toBe(401);
    expect((await asPlayer.send("DELETE", path)).status).toBe(403);
    expect(await readEvent(deps, event.id)).toEqual(event);
    expect(await asAdmin.send("DELETE", path)).toMatchObject({ status: 204, body: null });
    expect((await asAdmin.send("DELETE", path)).status).toBe(404);
  });

  test("refuses an event with calls, and nothing changes", async () => {
    const { id } = await buildEvent(deps, "open");
    await buildCall(deps, { userId: player.id, eventId: id });
    const event = await readEvent(deps, id);
    expect(await asAdmin.send("DELETE", `/api/v1/events/${id}`)).toMatchObject({
      status: 422,
      body: { error: "Cannot delete record because dependent calls exist" },
    });
    expect(await readEvent(deps, id)).toEqual(event);
  });
});
