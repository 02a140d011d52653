import { expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { pauseSession } from "#src/show/sessions/pause-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import {
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  buildSession,
} from "#tests/support/build.ts";
import { signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const visitor = await signedOutClient(createServer(deps));

test("a signed-out client can read a live session: published events, without anybody's calls", async () => {
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  await buildEvent(deps, "draft", { sessionId: session.id });
  const player = await buildPlayer(deps);
  await buildCall(deps, { userId: player.id, eventId: event.id });

  const shown = await visitor.get(`/api/v1/sessions/${session.slug}`);
  expect(shown.status).toBe(200);
  expect(shown.body).toMatchObject({ session: { id: session.id, registered: false } });
  const listed = await visitor.get(`/api/v1/sessions/${session.slug}/events`);
  expect(listed.status).toBe(200);
  expect(listed.body).toMatchObject({
    events: [{ id: event.id, state: "open", callsCount: 1, myCalls: [], plan: null }],
  });

  await pauseSession(deps, { sessionId: session.id, actor: null });
  expect((await visitor.get(`/api/v1/sessions/${session.id}`)).status).toBe(200);
});

test("signed-out clients get 401 for sessions that are not live and for unknown ones alike", async () => {
  const pending = await buildSession(deps);
  const stopped = await buildRunningSession(deps);
  await stopSession(deps, { sessionId: stopped.id, actor: null });
  for (const slug of [pending.slug, stopped.slug, "no-such-session", "999999"]) {
    for (const path of [`/api/v1/sessions/${slug}`, `/api/v1/sessions/${slug}/events`]) {
      const { status, body } = await visitor.get(path);
      expect({ status, body }).toEqual({
        status: 401,
        body: {
          error: "You need to sign in or sign up before continuing.",
          code: "unauthenticated",
          requestId: expect.any(String),
        },
      });
    }
  }
});

test("signed-out clients cannot read single events, leaders and calls", async () => {
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  for (const path of [
    `/api/v1/sessions/${session.slug}/events/${event.id}`,
    `/api/v1/scores/leaders?session_id=${session.slug}`,
    "/api/v1/sessions",
    `/api/v1/calls?session_id=${session.slug}`,
  ]) {
    expect((await visitor.get(path)).status).toBe(401);
  }
});
