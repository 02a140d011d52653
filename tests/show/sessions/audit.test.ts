import { expect, test } from "bun:test";
import * as v from "valibot";
import { createServer } from "#src/server.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { auditAnswer } from "#src/show/sessions/schemas.ts";
import { buildAdmin, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);
const admin = await buildAdmin(deps);
const signedOut = await signedOutClient(server);
const asPlayer = await signedInClient(deps, server, await buildPlayer(deps));
const asAdmin = await signedInClient(deps, server, admin);

const pathOf = (key: string | number) => `/api/v1/sessions/${key}/audit`;

test("the audit log of a session lists actor, action, subject and reason, newest first", async () => {
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id, title: "Rain?" });
  await closeEvent(deps, { eventId: event.id, actor: null });
  await asAdmin.send("PATCH", `/api/v1/events/${event.id}/state`, {
    event: { state_event: "resolve", result: "void", reason: "Rained off" },
  });
  await asAdmin.send("PUT", `/api/v1/sessions/${session.id}/pause`);
  const other = await buildRunningSession(deps);
  await asAdmin.send("PUT", `/api/v1/sessions/${other.id}/pause`);

  const { status, body } = await asAdmin.get(`${pathOf(session.slug)}?per_page=3`);
  expect(status).toBe(200);
  const { audit, meta } = v.parse(auditAnswer, body);
  const who = { id: admin.id, username: admin.username };
  expect(audit).toMatchObject([
    {
      actor: who,
      action: "pause",
      subject: { type: "session", id: session.id, title: null },
      before: { state: "running" },
      after: { state: "paused" },
      reason: null,
    },
    {
      actor: who,
      action: "resolve",
      subject: { type: "event", id: event.id, title: "Rain?" },
      before: { state: "closed", result: null },
      after: { state: "resolved", result: "void" },
      reason: "Rained off",
    },
    { actor: null, action: "close_event", after: { state: "closed" } },
  ]);
  expect(meta.totalCount).toBeGreaterThan(3);
  const next = v.parse(auditAnswer, (await asAdmin.get(`${pathOf(session.id)}?per_page=3&page=2`)).body);
  expect(next.audit.every(({ id }) => id < (audit.at(-1)?.id ?? 0))).toBe(true);
});

test("only admins can read the audit log", async () => {
  const { slug } = await buildRunningSession(deps);
  expect((await signedOut.get(pathOf(slug))).status).toBe(401);
  expect((await asPlayer.get(pathOf(slug))).status).toBe(403);
  expect((await asAdmin.get(pathOf("no-such-session"))).status).toBe(404);
  expect((await asAdmin.get(`${pathOf(slug)}?page=0`)).status).toBe(422);
});
