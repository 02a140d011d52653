import { beforeEach, expect, test } from "bun:test";
import { and, desc, eq } from "drizzle-orm";
import { audit, auditPersonal } from "#db/schema/audit.ts";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { buildAdmin, buildPlayer, type BuiltUser, only } from "#tests/support/build.ts";
import { signedInClient, type TestClient } from "#tests/support/client.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const { db } = deps.pool;
const server = createServer(deps);
const admin = await buildAdmin(deps);
const adminBrowser = await signedInClient(deps, server, admin);

let player: BuiltUser;
beforeEach(async () => {
  player = await buildPlayer(deps);
});

const change = (user: object, { browser = adminBrowser, ifMatch = "*" } = {}) =>
  browser.send("PATCH", `/api/v1/users/${player.id}`, { user }, { "if-match": ifMatch });
const rowOf = async () => only(await db.select().from(users).where(eq(users.id, player.id)));
const auditLines = () =>
  db
    .select({
      actorId: audit.actorId,
      action: audit.action,
      before: auditPersonal.before,
      after: auditPersonal.after,
    })
    .from(audit)
    .innerJoin(auditPersonal, eq(auditPersonal.auditId, audit.id))
    .where(and(eq(audit.subjectType, "user"), eq(audit.subjectId, player.id)))
    .orderBy(desc(audit.id));

/** Sends a change that must be refused, and checks that no table has changed. */
async function refusalOf(user: object, options: { browser?: TestClient; ifMatch?: string } = {}) {
  const before = await digestTables(db);
  const { status, body } = await change(user, options);
  expect(await digestTables(db)).toBe(before);
  return { status, body };
}

test("an admin changes another user's name and phone number, and the audit log has the old and new values", async () => {
  const name = `Polite_${player.id}`;
  expect(await change({ username: name, phone: "+49 30 1234567" })).toMatchObject({
    status: 200,
    body: { user: { id: player.id, username: name, phone: "+49301234567" } },
  });
  expect(await rowOf()).toMatchObject({ username: name, phone: "+49301234567" });
  expect(await auditLines()).toMatchObject([
    {
      actorId: admin.id,
      action: "change_profile",
      before: { username: player.username, phone: null },
      after: { username: name, phone: "+49301234567" },
    },
  ]);

  await change({ username: name, phone: "" });
  const [last] = await auditLines();
  expect(last).toMatchObject({ before: { phone: "+49301234567" }, after: { phone: null } });
  expect(last?.after).not.toHaveProperty("username");
});

test("a change that changes nothing, and one of the own profile, leave no audit line", async () => {
  expect((await change({ username: player.username })).status).toBe(200);
  const self = await signedInClient(deps, server, player);
  expect((await change({ phone: "+14155550100" }, { browser: self })).status).toBe(200);
  expect(await auditLines()).toEqual([]);
});

test.each<[what: string, user: object, errors: object]>([
  ["a short name", { username: "ab" }, { username: ["is too short (minimum is 3 characters)"] }],
  ["a reserved name", { username: "support" }, { username: ["is reserved"] }],
  ["a phone number without a country", { phone: "0301234567" }, { phone: ["is invalid"] }],
  ["an address", { email: "other@example.test" }, { email: ["is invalid"] }],
  ["a password", { password: "called-it-demo" }, { password: ["is invalid"] }],
  ["roles", { roles: ["admin"] }, { roles: ["is invalid"] }],
])("an admin cannot give another user %s", async (_, user, errors) => {
  expect(await refusalOf(user)).toMatchObject({ status: 422, body: { errors } });
});

test("a name that another user has is refused with the same text as for the user", async () => {
  expect(await refusalOf({ username: admin.username.toUpperCase() })).toMatchObject({
    status: 422,
    body: { errors: { username: ["has already been taken"] } },
  });
});

test("a change based on an older version is refused", async () => {
  expect(await refusalOf({ phone: "+14155550100" }, { ifMatch: '"999999"' })).toMatchObject({
    status: 409,
    body: { code: "stale_version" },
  });
});

test("a player finds no other user to change, and an admin finds no unknown one", async () => {
  const other = await signedInClient(deps, server, await buildPlayer(deps));
  expect(await refusalOf({ phone: "+14155550100" }, { browser: other })).toMatchObject({
    status: 404,
    body: { code: "not_found" },
  });
  player = { ...player, id: 999_999_999 };
  expect(await refusalOf({ phone: "+14155550100" })).toMatchObject({ status: 404 });
});
