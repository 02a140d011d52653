import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { USERNAME_LETTERS } from "#src/people/users/contract.ts";
import { type BuiltUser, buildPlayer, only } from "#tests/support/build.ts";
import { signedInClient, type TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
let player: BuiltUser;
let browser: TestClient;

const { deps, server } = await testWorld();

beforeEach(async () => {
  player = await buildPlayer(deps);
  browser = await signedInClient(deps, server, player);
});

const path = () => `/api/v1/users/${player.id}`;
const update = (user: unknown) => browser.send("PATCH", path(), { user });
const rowOf = async () => only(await deps.pool.db.select().from(users).where(eq(users.id, player.id)));

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
  const before = await rowOf();
  expect(await update(user)).toMatchObject({ status: 422, body: { code: "invalid", errors } });
  expect(await rowOf()).toEqual(before);
});

test("refused for every client, and nothing changes: two who take one name at once: one of them gets it", async () => {
  const rival = await buildPlayer(deps);
  const other = await signedInClient(deps, server, rival);
  const name = `wanted_${player.id}`;
  const answers = await Promise.all([
    update({ username: name }),
    other.send("PATCH", `/api/v1/users/${rival.id}`, { user: { username: name } }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect(await deps.pool.db.$count(users, eq(users.username, name))).toBe(1);
});
