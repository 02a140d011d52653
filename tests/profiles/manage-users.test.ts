import { beforeEach, expect, test } from "bun:test";
import { and, desc, eq } from "drizzle-orm";
import { audit, auditPersonal } from "#db/schema/audit.ts";
import { users } from "#db/schema/users.ts";
import { USERNAME_LETTERS } from "#src/people/users/contract.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import type { TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";

let player: BuiltUser;

const { db, build, client, read, signedIn } = await testWorld();
const [host, admin] = await signedIn.admin();

beforeEach(async () => {
  player = await build.player();
});

const put = (verb: string, user?: object, of: { id: number } = player) =>
  admin.send("PUT", `/api/v1/users/${of.id}/${verb}`, user === undefined ? undefined : { user });
const linesOf = ({ id }: { id: number }) => read.audit({ subjectType: "user", subjectId: id });
const rowOf = async ({ id }: { id: number }) => {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row;
};

test("a deactivated user is signed out at once, and can sign in again after reactivation", async () => {
  const browser = await client(player);
  expect((await browser.get("/api/v1/users/me")).status).toBe(200);
  const { status, body } = await put("deactivate", { reason: "Two accounts" });
  expect(status).toBe(200);
  expect(body).toMatchObject({ user: { id: player.id, deactivatedAt: expect.any(String) } });
  expect((await browser.get("/api/v1/users/me")).status).toBe(401);

  expect((await put("reactivate")).body).toMatchObject({ user: { deactivatedAt: null } });
  expect((await browser.get("/api/v1/users/me")).status).toBe(401);
  expect(await linesOf(player)).toMatchObject([
    { actorId: host.id, action: "deactivate", after: { deactivated: true }, reason: "Two accounts" },
    { actorId: host.id, action: "reactivate", after: { deactivated: false }, reason: null },
  ]);
});

test("unlocking an account resets its count of wrong passwords", async () => {
  await db.update(users).set({ failedAttempts: 20, lockedAt: new Date() }).where(eq(users.id, player.id));
  expect((await put("unlock")).body).toMatchObject({ user: { lockedAt: null } });
  expect(await rowOf(player)).toMatchObject({ failedAttempts: 0, lockedAt: null });
  expect(await linesOf(player)).toMatchObject([{ action: "unlock", before: { locked: true } }]);
});

test("a change of roles ends the user's sign-ins", async () => {
  const browser = await client(player);
  const { body } = await put("roles", { roles: ["operator", "admin", "admin"] });
  expect(body).toMatchObject({ user: { roles: ["admin", "operator"] } });
  expect((await browser.get("/api/v1/users/me")).status).toBe(401);
  const again = await client(player);
  expect((await again.get("/api/v1/users")).status).toBe(200);
  expect((await put("roles", { roles: [] })).body).toMatchObject({ user: { roles: [] } });
  expect(await linesOf(player)).toMatchObject([
    { action: "change_roles", before: { roles: [] }, after: { roles: ["admin", "operator"] } },
    { action: "change_roles", after: { roles: [] } },
  ]);
});

test("a change that is already in effect changes and audits nothing", async () => {
  for (const verb of ["unlock", "reactivate"]) expect((await put(verb)).status).toBe(200);
  expect((await put("roles", { roles: [] })).status).toBe(200);
  expect(await linesOf(player)).toEqual([]);
});

test("refused, and nothing changes: deactivating oneself or removing one's own admin role", async () => {
  expect(await put("deactivate", undefined, host)).toMatchObject({ status: 422 });
  expect(await put("roles", { roles: [] }, host)).toMatchObject({ status: 422 });
  expect((await admin.get("/api/v1/users")).status).toBe(200);
  expect(await linesOf(host)).toEqual([]);
});

test("refused, and nothing changes: a role for a guest, and an unknown role", async () => {
  const guest = await build.player();
  await db.update(users).set({ guest: true }).where(eq(users.id, guest.id));
  expect(await put("roles", { roles: ["admin"] }, guest)).toMatchObject({ status: 422 });
  expect(await put("roles", { roles: ["owner"] })).toMatchObject({ status: 422 });
  expect(await put("roles", {})).toMatchObject({ status: 422 });
  expect(await put("roles")).toMatchObject({ status: 400 });
  expect([...(await linesOf(guest)), ...(await linesOf(player))]).toEqual([]);
});

const changeProfile = (user: object, browser = admin) =>
  browser.send("PATCH", `/api/v1/users/${player.id}`, { user }, { "if-match": "*" });
const profileLines = () =>
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

test("an admin changes another user's name and phone number, and the audit log has the old and new values", async () => {
  const name = `Polite_${player.id}`;
  expect(await changeProfile({ username: name, phone: "+49 30 1234567" })).toMatchObject({
    status: 200,
    body: { user: { id: player.id, username: name, phone: "+49301234567" } },
  });
  expect(await rowOf(player)).toMatchObject({ username: name, phone: "+49301234567" });
  expect(await profileLines()).toMatchObject([
    {
      actorId: host.id,
      action: "change_profile",
      before: { username: player.username, phone: null },
      after: { username: name, phone: "+49301234567" },
    },
  ]);

  await changeProfile({ username: name, phone: "" });
  const [last] = await profileLines();
  expect(last).toMatchObject({ before: { phone: "+49301234567" }, after: { phone: null } });
  expect(last?.after).not.toHaveProperty("username");
});

let browser: TestClient;

beforeEach(async () => {
  player = await build.player();
  browser = await client(player);
});

const path = () => `/api/v1/users/${player.id}`;
const update = (user: unknown) => browser.send("PATCH", path(), { user });
const ownRow = () => read.row(users, player.id);

test("a player changes the name and the phone number, together and alone", async () => {
  const name = `Renamed_${player.id}`;
  expect(await update({ username: name, phone: "+49 (30) 1234-567" })).toMatchObject({
    status: 200,
    body: { user: { id: player.id, username: name, phone: "+49301234567", wallet: { balance: 100 } } },
  });
  expect(await update({ phone: "" })).toMatchObject({ body: { user: { username: name, phone: null } } });
  expect(await update({ username: name.toLowerCase() })).toMatchObject({ status: 200 });
  expect((await browser.get("/api/v1/users/me")).body).toMatchObject({
    user: { username: name.toLowerCase() },
  });
});

test.each<[what: string, user: object, errors: object]>([
  ["a crop without a picture", { crop: { x: 0, y: 0, size: 10 } }, { avatar: ["is required"] }],
  ["a script for a name", { username: "</script>" }, { username: [`can have ${USERNAME_LETTERS}`] }],
  ["other letters for a name of ours", { username: "аdmin1" }, { username: ["is reserved"] }],
  ["a reserved name", { username: "Support" }, { username: ["is reserved"] }],
  ["a phone number without a country", { phone: "0301234567" }, { phone: ["is invalid"] }],
  ["words for a phone number", { phone: "call me" }, { phone: ["is invalid"] }],
  [
    "one that is right beside one that is not",
    { username: "fine_name", phone: "1" },
    { phone: ["is invalid"] },
  ],
])("is refused, and nothing changes: %s", async (_, user, errors) => {
  const before = await ownRow();
  expect(await update(user)).toMatchObject({ status: 422, body: { code: "invalid", errors } });
  expect(await ownRow()).toEqual(before);
});

test("refused for every client, and nothing changes: two who take one name at once: one of them gets it", async () => {
  const rival = await build.player();
  const other = await client(rival);
  const name = `wanted_${player.id}`;
  const answers = await Promise.all([
    update({ username: name }),
    other.send("PATCH", `/api/v1/users/${rival.id}`, { user: { username: name } }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect(await db.$count(users, eq(users.username, name))).toBe(1);
});
