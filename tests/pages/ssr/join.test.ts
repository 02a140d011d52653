import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { registrations } from "#db/schema/sessions.ts";
import { createServer } from "#src/server.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { buildPlayer, buildRunningSession, buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { readerFor } from "./browser.ts";

const PATH = "/sessions/quiz-final/join";

const deps = await testDeps();
const player: { id: number; email: string | null; username: string } = await buildPlayer(deps);
const reader = await readerFor(deps, createServer(deps), player);
await buildSession(deps, { slug: "quiz-final", name: "Quiz Final" });

const joined = () => deps.pool.db.select().from(registrations).where(eq(registrations.userId, player.id));

test("an invalid name is refused beside its field, and nobody joins", async () => {
  const page = await reader.sendForm(PATH, { display_name: "x".repeat(41) });
  expect(page.status).toBe(422);
  expect(page.html).toContain("Display name is too long");
  expect(await joined()).toEqual([]);
});

test("a player joins by a plain form under a chosen name, and is then redirected to the action", async () => {
  expect((await reader.open("/sessions")).html).toContain(PATH);
  const page = await reader.open(PATH);
  expect(page.html).toContain("Join Quiz Final");
  expect(page.html).toContain(`value="${player.username}"`);

  const sent = await reader.sendForm(PATH, { display_name: "The Oracle" });
  expect(sent).toMatchObject({ status: 303, location: "/sessions/quiz-final" });
  expect(await joined()).toMatchObject([{ displayName: "The Oracle" }]);
  expect(await reader.open(PATH)).toMatchObject({ status: 302, location: "/sessions/quiz-final" });
  expect((await reader.open("/sessions")).html).not.toContain(PATH);
});

test("a session that has ended cannot be joined", async () => {
  const { id, slug } = await buildRunningSession(deps, { slug: "last-year" });
  await stopSession(deps, { sessionId: id, actor: null });
  const page = await reader.open(`/sessions/${slug}/join`);
  expect([page.status, page.html.includes("This session is over")]).toEqual([200, true]);
  expect((await reader.sendForm(`/sessions/${slug}/join`, { display_name: "Late" })).status).toBe(422);
  expect(await joined()).toHaveLength(1);
});
