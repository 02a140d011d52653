import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { breaks, keptBreaks } from "#db/schema/spending.ts";
import { users } from "#db/schema/users.ts";
import { pruneTable } from "#jobs/schedule.ts";
import { confirmEmail } from "#src/people/users/confirm-email.ts";
import { makeAdmin } from "#src/people/users/make-admin.ts";
import { issueToken } from "#src/people/users/tokens.ts";
import { createServer } from "#src/server.ts";
import { givePassword, PASSWORD } from "#tests/people/users/person.ts";
import { afterTest } from "#tests/support/after-file.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { signedOutClient, type TestClient } from "#tests/support/client.ts";
import { runClock } from "#tests/support/database.ts";
import { buildEnv } from "#tests/support/deps.ts";
import { testWorld } from "#tests/support/world.ts";

const DAY_MS = 86_400_000;
const world = await testWorld({ RATE_LIMITS: "off" });
const { deps, db, build, client, unchanged } = world;
afterTest(() => runClock(deps.pool));

let player: BuiltUser;
beforeEach(async () => {
  player = await build.player();
});

const begin = (browser: TestClient, period: string) =>
  browser.send("PUT", "/api/v1/spending/break", { break: { period } });
const deposit = (browser: TestClient) => browser.send("POST", "/api/v1/payments", { payment: { amount: 5 } });
const breaksOf = (userId: number) => db.select().from(breaks).where(eq(breaks.userId, userId));

/** Deletes the account. */
async function leave(who: BuiltUser) {
  await givePassword(deps, who.id);
  const browser = await client(who);
  const { status } = await browser.send("PUT", "/api/v1/users/me/delete", {
    user: { current_password: PASSWORD },
  });
  expect(status).toBe(204);
}

/** Registers a new account with this address. @returns its id. */
async function register(email: string | null, server = world.server): Promise<number> {
  const visitor = await signedOutClient(server);
  const username = `again_${crypto.randomUUID().slice(0, 8)}`;
  const user = { email, username, password: "nine green ladders", terms: true };
  await visitor.send("POST", "/users/guest_registration", {
    user: { ...user, password_confirmation: user.password },
  });
  const [again] = await db.select().from(users).where(eq(users.username, username));
  if (again === undefined) throw new Error("the address can be registered again");
  return again.id;
}

test("a break outlives its account by a hash of the address alone, until it ends", async () => {
  await begin(await client(player), "half_year");
  await leave(player);
  const kept = await db.select().from(keptBreaks);
  expect(JSON.stringify(kept)).not.toContain(player.email);
  expect(kept).toHaveLength(1);
  const again = await register(player.email);
  expect(await breaksOf(again)).toHaveLength(1);
  const [row] = await db.select().from(users).where(eq(users.id, again));
  if (row === undefined) throw new Error("it was registered");
  expect((await deposit(await client({ ...player, ...row }))).status).toBe(422);
  await pruneTable(deps, keptBreaks);
  expect(await db.$count(keptBreaks)).toBe(1);
  await runClock(deps.pool, { aheadMs: 200 * DAY_MS });
  await pruneTable(deps, keptBreaks);
  expect(await db.$count(keptBreaks)).toBe(0);
});

test("a kept break goes on under another secret key, as after a rotation and a restore on another machine", async () => {
  await begin(await client(player), "month");
  await leave(player);
  const { databaseUrl, redisUrl } = deps.env;
  const env = await buildEnv(
    { databaseUrl, redisUrl },
    { SECRET_KEY: "another secret that is only of this test" },
  );
  const again = await register(player.email?.toUpperCase() ?? "", createServer({ ...deps, env }));
  expect(await breaksOf(again)).toHaveLength(1);
});

test("two kept breaks of one address have nothing in common, and the longer one goes on, as what it is", async () => {
  await begin(await client(player), "week");
  await leave(player);
  const second = await register(player.email);
  const [resumed] = await breaksOf(second);
  expect(resumed).toMatchObject({ period: "week", resumed: true });
  await givePassword(deps, second);
  const browser = await client({ ...player, id: second });
  expect((await begin(browser, "year")).status).toBe(200);
  await browser.send("PUT", "/api/v1/users/me/delete", { user: { current_password: PASSWORD } });
  const kept = await db.select().from(keptBreaks);
  const ofAddress = kept.slice(-2);
  expect(new Set(ofAddress.map(({ mailHash }) => mailHash)).size).toBe(2);
  expect(new Set(ofAddress.map(({ salt }) => salt)).size).toBe(2);
  const third = await register(player.email);
  expect(await breaksOf(third)).toEqual([expect.objectContaining({ period: "year", resumed: true })]);
});

test("of an erased account no break stays, and nothing that support has said of it", async () => {
  const [admin, guest] = [await build.admin(), await build.player()];
  const support = await client(admin);
  await begin(await client(player), "month");
  const longer = { break: { period: "year", reason: "Wrote from another address" } };
  expect((await support.send("PUT", `/api/v1/users/${player.id}/break`, longer)).status).toBe(200);
  await db.update(users).set({ guest: true, email: null }).where(eq(users.id, guest.id));
  await begin(await client(guest), "month");
  const merge = { user: { account: player.username, reason: "The same person" } };
  expect((await support.send("PUT", `/api/v1/users/${guest.id}/merge`, merge)).status).toBe(200);
  await leave(player);
  for (const { id } of [player, guest]) expect(await breaksOf(id)).toEqual([]);
  expect(await breaksOf(await register(player.email))).toEqual([expect.objectContaining({ period: "year" })]);
});

test("nobody changes or deletes a kept break before it has ended, or a break of an account that stays: not even the owner of the tables", async () => {
  await begin(await client(player), "month");
  await leave(player);
  const other = await build.player();
  await begin(await client(other), "month");
  for (const statement of [
    "DELETE FROM kept_breaks WHERE ends_at > game_now()",
    "UPDATE kept_breaks SET ends_at = ends_at + interval '1 day'",
    "UPDATE kept_breaks SET salt = 'mine'",
    "TRUNCATE kept_breaks",
    `DELETE FROM breaks WHERE user_id = ${other.id}`,
    `UPDATE users SET deleted_at = NULL WHERE id = ${player.id}`,
  ])
    expect([
      statement,
      await unchanged(() =>
        deps.pool.sql.unsafe(statement).then(
          () => "done",
          () => "refused",
        ),
      ),
    ]).toEqual([statement, "refused"]);
});

test("a break stays with an address that the account has left, and with a deleted one that the command line makes an admin of", async () => {
  const [moved, gone] = [await build.player(), player];
  for (const each of [moved, gone]) await begin(await client(each), "month");
  const email = `new-${moved.email}`;
  const secret = await issueToken(db, deps.env, { userId: moved.id, kind: "change_email", email });
  await confirmEmail(deps, secret);
  await leave(gone);
  for (const address of [moved.email ?? "", gone.email ?? ""]) {
    expect(await makeAdmin(deps, address)).toMatchObject({ change: "created" });
    const [again] = await db.select().from(users).where(eq(users.email, address));
    expect(await breaksOf(again?.id ?? 0)).toHaveLength(1);
  }
});
