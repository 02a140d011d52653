import { expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { withdrawResult } from "#src/show/events/note-result.ts";
import { openEvent } from "#src/show/events/open-event.ts";
import { publishEvent } from "#src/show/events/publish-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { buildAdmin, buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);
const host = await buildAdmin(deps);
const other = await buildAdmin(deps);
const player = await buildPlayer(deps);
const browser = await signedInClient(deps, server, host);

/** What the other host does to a closed event while this host has something armed. */
const overtakings: Record<string, (eventId: number) => Promise<unknown>> = {
  "given a result that was taken back": async (eventId) => {
    await resolveEvent(deps, { eventId, actor: other, result: "true" });
    await withdrawResult(deps, { eventId, actor: other });
  },
  "played in another round": async (eventId) => {
    await resetEvent(deps, { eventId, actor: other, reason: "Again" });
    await publishEvent(deps, { eventId, actor: other });
    await openEvent(deps, { eventId, actor: other });
    await buildCall(deps, { userId: player.id, eventId });
    await closeEvent(deps, { eventId, actor: other });
  },
};

const acts = {
  "a result": ["PATCH", "state", { event: { state_event: "resolve", result: false } }],
  "a skip": ["PUT", "skip", { event: {} }],
  "a reset": ["PATCH", "state", { event: { state_event: "reset", reason: "Again" } }],
} as const;

test.each(
  Object.entries(overtakings).flatMap(([what, overtake]) =>
    Object.entries(acts).map(([name, request]) => ({ name, what, overtake, request })),
  ),
)(
  "$name that was armed before the event was $what is refused, and nothing changes",
  async ({ overtake, request: [method, path, body] }) => {
    const { id: sessionId } = await buildRunningSession(deps, { settings: { settlementDelaySeconds: 60 } });
    const { id, version } = await buildEvent(deps, "closed", { sessionId });
    await overtake(id);
    const before = await digestTables(deps.pool.db);
    const sent = await browser.send(method, `/api/v1/events/${id}/${path}`, body, {
      "if-match": `"${version}"`,
    });
    expect(sent).toMatchObject({ status: 409, body: { code: "stale_version" } });
    expect(await digestTables(deps.pool.db)).toBe(before);
  },
);
