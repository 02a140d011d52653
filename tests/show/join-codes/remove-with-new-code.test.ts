import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { createServer } from "#src/server.ts";
import { buildAdmin, buildPlayer, buildRunningSession, readSession } from "#tests/support/build.ts";
import { signedInClient, signedOutClient, type TestClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);
const host = await signedInClient(deps, server, await buildAdmin(deps));
const show = await buildRunningSession(deps, { settings: { private: true } });
const path = `/api/v1/sessions/${show.slug}`;
const join = (who: TestClient, code: string) => who.send("POST", "/api/v1/joins", { join: { code } });

test("a removed player does not come back as a new guest where the same press makes a new code", async () => {
  const player = await buildPlayer(deps);
  const browser = await signedInClient(deps, server, player);
  expect((await join(browser, show.joinCode)).status).toBe(201);
  const removed = await host.send("DELETE", `${path}/players/${player.id}?renew_code=true`);
  expect([removed.status, (await browser.get(path)).status]).toEqual([204, 404]);
  expect((await join(await signedOutClient(server), show.joinCode)).status).toBe(404);
  const lines = await deps.pool.db
    .select({ action: audit.action })
    .from(audit)
    .where(eq(audit.sessionId, show.id))
    .orderBy(asc(audit.id));
  expect(lines.map(({ action }) => action).slice(-2)).toEqual(["remove_player", "renew_join_code"]);
  const { joinCode } = await readSession(deps, show.id);
  expect((await join(await signedOutClient(server), joinCode)).status).toBe(201);
});
