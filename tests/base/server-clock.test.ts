import { expect, setSystemTime, test } from "bun:test";
import { sql } from "drizzle-orm";
import { followDatabaseClock, serverNow } from "#src/base/server-clock.ts";
import { runCheck } from "#tests/operate/checks/run-check.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { testWorld } from "#tests/support/world.ts";

const WRONG_BY_MS = 45_000;
const CLOSE_MS = 2_000;

const { deps, db, build, server, signIn } = await testWorld();
const credentials = await signIn(await build.player());

let stop = () => {};
afterTest(() => {
  stop();
  setSystemTime();
});

async function serverTimeOf(path: string): Promise<number> {
  const headers = { accept: "application/json", ...credentials };
  const text = await (await server.handle(new Request(`http://localhost:3000${path}`, { headers }))).text();
  return Date.parse(/"server_?[tT]ime":"([^"]+)"/.exec(text)?.[1] ?? "");
}

async function databaseTime(): Promise<number> {
  const [row] = await db.execute(sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`);
  return Number(row?.["ms"]);
}

for (const [what, wrongMs] of [
  ["behind", -WRONG_BY_MS],
  ["ahead", WRONG_BY_MS],
] as const) {
  test(`on a machine whose clock is ${what}, /up and lists carry the database's time`, async () => {
    setSystemTime(new Date(Date.now() + wrongMs));
    expect(Math.abs((await serverTimeOf("/up")) - (await databaseTime()))).toBeGreaterThan(WRONG_BY_MS / 2);
    ({ stop } = await followDatabaseClock(deps.pool));
    for (const path of ["/up", "/api/v1/sessions"]) {
      expect(Math.abs((await serverTimeOf(path)) - (await databaseTime()))).toBeLessThan(CLOSE_MS);
    }
    const apart = expect.stringMatching(/^The clock of this machine is 4[3-7] s from the database's\./);
    expect(await runCheck(deps, "clock")).toMatchObject({ state: "apart", said: apart });
    setSystemTime();
    expect(await runCheck(deps, "clock")).toMatchObject({ state: "ok" });
  });
}

test("a change of the machine's clock does not move it, and neither does a database that is away", async () => {
  const silent = Object.assign(() => Promise.reject(new Error("away")), deps.pool.sql);
  const before = Date.now();
  ({ stop } = await followDatabaseClock({ sql: silent }));
  expect(Math.abs(serverNow().getTime() - before)).toBeLessThan(CLOSE_MS);
  stop();
  ({ stop } = await followDatabaseClock(deps.pool));
  const known = serverNow().getTime();
  setSystemTime(new Date(Date.now() - WRONG_BY_MS));
  expect(serverNow().getTime()).toBeGreaterThanOrEqual(known);
});
