import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { type TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";

const { db, build, read, client } = await testWorld();
const host = await client(await build.admin());
const show = await build.runningSession({ settings: { private: true } });
const path = `/api/v1/sessions/${show.slug}`;
const join = (who: TestClient, code: string) => who.send("POST", "/api/v1/joins", { join: { code } });

test("a removed player does not come back as a new guest where the same press makes a new code", async () => {
  const player = await build.player();
  const browser = await client(player);
  expect((await join(browser, show.joinCode)).status).toBe(201);
  const removed = await host.send("DELETE", `${path}/players/${player.id}?renew_code=true`);
  expect([removed.status, (await browser.get(path)).status]).toEqual([204, 404]);
  expect((await join(await client(), show.joinCode)).status).toBe(404);
  const lines = await db
    .select({ action: audit.action })
    .from(audit)
    .where(eq(audit.sessionId, show.id))
    .orderBy(asc(audit.id));
  expect(lines.map(({ action }) => action).slice(-2)).toEqual(["remove_player", "renew_join_code"]);
  const { joinCode } = await read.session(show.id);
  expect((await join(await client(), joinCode)).status).toBe(201);
});
