import { expect, test } from "bun:test";
import * as v from "valibot";
import { createServer } from "#src/server.ts";
import { eventAnswer } from "#src/show/events/schemas.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { buildAdmin, buildDraft, buildPlayer, buildSession, readEvent } from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);
const signedOut = await signedOutClient(server);
const asPlayer = await signedInClient(deps, server, await buildPlayer(deps));
const asAdmin = await signedInClient(deps, server, await buildAdmin(deps));

/** A draft that opens in 60 s, in a running session. */
async function buildPlanned() {
  const { id: sessionId } = await buildSession(deps);
  const { id } = await buildDraft(deps, { sessionId, offsetSeconds: 60 });
  await startSession(deps, { sessionId, actor: null });
  return readEvent(deps, id);
}

test.each(["advance", "skip", "delay"])(
  "PUT .../%s is for admins, and answers 404 for an unknown event",
  async (action) => {
    const event = await buildPlanned();
    const path = `/api/v1/events/${event.id}/${action}`;
    expect((await signedOut.send("PUT", path)).status).toBe(401);
    expect((await asPlayer.send("PUT", path)).status).toBe(403);
    expect((await asAdmin.send("PUT", `/api/v1/events/999999999/${action}`)).status).toBe(404);
    expect((await asAdmin.send("PUT", `/api/v1/events/abc/${action}`)).status).toBe(404);
    expect(await readEvent(deps, event.id)).toEqual(event);
  },
);

test("advance, delay and skip need no body, and answer the event", async () => {
  const { id, opensAt } = await buildPlanned();
  const put = async (action: string, body?: unknown) => {
    const answer = await asAdmin.send("PUT", `/api/v1/events/${id}/${action}`, body);
    expect(answer.status).toBe(200);
    return v.parse(eventAnswer, answer.body).event;
  };
  const delayed = await put("delay");
  expect(Date.parse(delayed.opensAt ?? "") - (opensAt?.getTime() ?? 0)).toBe(30_000);
  const forward = await put("delay", { event: { seconds: -20 } });
  expect(Date.parse(forward.opensAt ?? "") - (opensAt?.getTime() ?? 0)).toBe(10_000);
  expect((await put("advance")).state).toBe("visible");
  expect((await put("advance", { event: {} })).state).toBe("open");
  expect((await put("skip", { event: { reason: "No picture" } })).state).toBe("hidden");
});

test.each([
  [{ event: { seconds: 601 } }, 422, { seconds: ["must be less than or equal to 600"] }],
  [{ event: { seconds: -601 } }, 422, { seconds: ["must be greater than or equal to -600"] }],
  [{ event: { seconds: 1.5 } }, 422, { seconds: ["must be an integer"] }],
  [{ event: { seconds: "30" } }, 422, { seconds: ["is not a number"] }],
  [{ event: { seconds: 30, state: "open" } }, 422, { state: ["is invalid"] }],
  [{ seconds: 30 }, 400, undefined],
])("a delay of %j is refused, and nothing changes", async (body, status, errors) => {
  const event = await buildPlanned();
  const answer = await asAdmin.send("PUT", `/api/v1/events/${event.id}/delay`, body);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject(errors === undefined ? {} : { errors });
  expect(await readEvent(deps, event.id)).toEqual(event);
});

test("an action that is not allowed in the state is refused with its label", async () => {
  const event = await buildPlanned();
  expect(await asAdmin.send("PUT", `/api/v1/events/${event.id}/skip`)).toMatchObject({
    status: 422,
    body: {
      error: 'Validation failed: State cannot transition via "Skip"',
      errors: { state: ['cannot transition via "Skip"'] },
    },
  });
  expect(await readEvent(deps, event.id)).toEqual(event);
});
