import { expect, test } from "bun:test";
import * as v from "valibot";
import { destroyMessage } from "#src/play/chat/destroy-message.ts";
import { createServer } from "#src/server.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { type StageAnswer, stageAnswer } from "#src/show/stage/schemas.ts";
import { buildMessage } from "#tests/play/chat/fixtures.ts";
import { buildAdmin, buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const deps = await testDeps();
const server = createServer(deps);

const open = (path: string, accept = "text/html") =>
  server.handle(new Request(`http://localhost:3000${path}`, { headers: { accept } }));
const read = async (slug: string): Promise<StageAnswer> =>
  v.parse(stageAnswer, await (await open(`/api/v1/sessions/${slug}/stage`, "application/json")).json());

test("the big screen of a live session is open to signed-out viewers, with the question and the code, and no controls", async () => {
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id, title: "Goal in the first half?" });
  const response = await open(`/sessions/${session.slug}/stage`);
  expect(response.status).toBe(200);
  const html = await response.text();
  const app = html.slice(html.indexOf('id="root"'), html.indexOf('id="loaded"'));
  expect(app).toContain(event.title);
  expect(app).toContain("QR code: join");
  expect(app.replaceAll(/<\/?(span|wbr)\/?>/g, "")).toContain(`sessions/${session.slug}`);
  expect(app).not.toMatch(/<(button|form|input|a|header|nav)\b/);
});

test("over a video it has a class by which its ground is transparent, and without the chat if the address says so", async () => {
  const { id: sessionId, slug } = await buildRunningSession(deps);
  await buildMessage(deps, { sessionId, userId: (await buildPlayer(deps)).id, body: "What a save" });
  const plain = await (await open(`/sessions/${slug}/stage`)).text();
  expect(plain).toContain('class="big-screen"');
  expect(plain).toContain("What a save</span></li>");
  const overlay = await (await open(`/sessions/${slug}/stage?overlay=1&chat=0`)).text();
  expect(overlay).toContain('class="big-screen overlay"');
  expect(overlay).not.toContain("What a save</span></li>");
});

test("it names the first three by their scores, and neither emails nor wallets", async () => {
  const { id: sessionId, slug } = await buildRunningSession(deps);
  const { id: eventId } = await buildEvent(deps, "open", { sessionId, durationSeconds: 600 });
  const players = await Promise.all(Array.from({ length: 5 }, () => buildPlayer(deps)));
  for (const [index, { id: userId }] of players.entries()) {
    await buildCall(deps, { userId, eventId, side: index === 0 ? "true" : "false" });
  }
  await resolveAndPay(deps, { eventId, actor: null, result: "true" });
  const answer = await read(slug);
  expect(answer.leaders).toHaveLength(3);
  expect(answer.leaders[0]).toMatchObject({ userId: players[0]?.id, rank: 1, wins: 1 });
  expect(answer.playersCount).toBe(5);
  const text = await (await open(`/api/v1/sessions/${slug}/stage`, "application/json")).text();
  expect(text).not.toMatch(/email|wallet|balance|@/i);
  const html = await (await open(`/sessions/${slug}/stage`)).text();
  for (const { email } of players) expect(html).not.toContain(email);
});

test("its chat is the newest messages that are not deleted, and none once the session is over", async () => {
  const { id: sessionId, slug } = await buildRunningSession(deps);
  const { id: userId } = await buildPlayer(deps);
  const first = await buildMessage(deps, { sessionId, userId, body: "First" });
  const second = await buildMessage(deps, { sessionId, userId, body: "Second" });
  expect((await read(slug)).messages.map(({ body }) => body)).toEqual(["First", "Second"]);
  const admin = await buildAdmin(deps);
  await destroyMessage(deps, { messageId: second, actor: admin });
  expect((await read(slug)).messages.map(({ id }) => id)).toEqual([first]);
  await stopSession(deps, { sessionId, actor: null });
  expect((await read(slug)).messages).toEqual([]);
});
