import { expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { logPlans, openPlanLog } from "#tests/growth/read-plans.ts";
import { asApplication } from "#tests/support/application.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

const PLAYERS = 30;

test("a page reads its own viewer alone, also while Postgres has no statistics, as after a restore", async () => {
  const deps = await testDeps();
  const session = await buildRunningSession(deps);
  const { id: eventId } = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 600 });
  const players = await Promise.all(Array.from({ length: PLAYERS }, () => buildPlayer(deps)));
  for (const { id: userId } of players) await buildCall(deps, { userId, eventId });
  const signedIn = await Promise.all(players.map((player) => signInDirectly(deps, player)));
  await logPlans(deps.pool, { asLarge: false });
  const application = asApplication(deps);
  const server = createServer(application);
  const open = async () => {
    const headers = { ...signedIn[0], accept: "text/html" };
    const url = `http://localhost:3000/sessions/${session.slug}`;
    expect((await server.handle(new Request(url, { headers }))).status).toBe(200);
  };
  // The session is loaded by the first page.
  await open();
  const log = await openPlanLog();
  await open();
  const pageRead = log.readNew().filter(({ statement }) => statement.includes("sign_in_id"));
  const rowsOf = (table: string) =>
    pageRead.filter((read) => read.table === table).reduce((sum, { rows }) => sum + rows, 0);
  expect(["sign_ins", "users", "calls"].map((table) => [table, rowsOf(table)])).toEqual([
    ["sign_ins", 1],
    ["users", 1],
    ["calls", 1],
  ]);
  expect(rowsOf("accounts")).toBeLessThanOrEqual(2);
});
