import { expect, test } from "bun:test";
import { count } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { keepRemoved, refuseRemoved } from "#src/people/users/judge-username.ts";
import { usernameField } from "#src/people/users/schemas.ts";
import { signedInClient } from "#tests/support/client.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, server, build } = await testWorld();
const nobody = { address: "", userAgent: null };
const guest = (username: string) => createGuest(deps, nobody, { username });
const judge = (name: string) => v.safeParse(usernameField, name);

test.each([
  ["Zoë", "Zoë"],
  ["O'Brien", "O'Brien"],
  ["O’Brien", "O'Brien"],
  ["李雷", "李雷"],
  ["Jo", "Jo"],
  ["Anna B", "Anna B"],
  ["  Anna \u00a0 B ", "Anna B"],
  ["Jean‑Luc", "Jean-Luc"],
  ["J. R. Ewing", "J. R. Ewing"],
  ["J.R.R", "J.R.R"],
  ["Nguyễn Thị Ánh", "Nguyễn Thị Ánh"],
  ["Zoe\u0308", "Zoë"],
  ["علي رضا", "علي رضا"],
  ["علی\u200cرضا", "علی\u200cرضا"],
  ["שָׂרָה", "שָׂרָה".normalize("NFC")],
  ["अनुष्का", "अनुष्का"],
  ["สมพร", "สมพร"],
  ["김민준", "김민준"],
  ["Ќирил ٣", "Ќирил ٣"],
  ["lucky_lena", "lucky_lena"],
  ["_x_", "_x_"],
  ["a__b", "a__b"],
  ["ana\u200bbel", "anabel"],
])("a name of somebody is taken as it is written: %j", (typed, written) => {
  const { success, output } = judge(typed);
  expect(success ? output : null).toBe(written);
});

test.each([
  "",
  "李",
  "a".repeat(21),
  "Anna  -B",
  "-Anna",
  "Anna!",
  "😀😀",
  "a/b",
  "<b>",
  "Z\u0300\u0301\u0302\u0303!",
])("%j is refused", (typed) => {
  expect(judge(typed).success).toBe(false);
});

test.each([
  "Admin",
  "admin1",
  "Аdmin",
  "A.d.m.i.n",
  "The Admin",
  "Anna official",
  "Ädmin",
  "called it",
  "guest 12",
  "Guest_7",
  "gone_1",
])("%j could be mistaken for somebody of the product", async (typed) => {
  const before = await deps.pool.db.$count(users);
  expect((await refusalOf(Promise.resolve(typed).then(guest))).details.errors).toEqual({
    username: ["is reserved"],
  });
  expect(await deps.pool.db.$count(users)).toBe(before);
});

test.each(["Joe Root", "Guest Smith", "Jennifer Null", "Mary Host", "Systema", "Adminah"])(
  "%j is a name",
  async (name) => {
    expect(judge(name).success).toBe(true);
    expect((await guest(name)).viewer.username).toBe(name);
  },
);

test.each([
  ["Anna", "Аnna", "with a Cyrillic A"],
  ["Marina", "МАRІNА", "with capitals of two scripts"],
  ["Paola", "Ρaοla", "with Greek letters"],
  ["Nora", "Ｎｏｒａ", "in full width"],
  ["Яна", "ЯНА", "in capitals"],
  ["Zoë", "Zoe\u0308", "in another form"],
])("nobody is called like %s, %s, %s", async (name, alike) => {
  await guest(name);
  const before = await deps.pool.db.select({ all: count() }).from(users);
  const { output } = judge(alike);
  expect((await refusalOf(guest(String(output)))).details.errors).toEqual({
    username: ["has already been taken"],
  });
  const player = await build.player();
  const client = await signedInClient(deps, server, player);
  const renamed = await client.send("PATCH", `/api/v1/users/${player.id}`, { user: { username: alike } });
  expect(renamed).toMatchObject({ status: 422, body: { errors: { username: ["has already been taken"] } } });
  const [{ all } = { all: 0 }] = await deps.pool.db.select({ all: count() }).from(users);
  expect(all).toBe((before[0]?.all ?? 0) + 1);
});

test("an accent makes another name", async () => {
  for (const name of ["Andre", "André", "Andrè"]) await guest(name);
});

test("a name that was taken away does not come back in another way to write it", async () => {
  const { db } = deps.pool;
  await inTransaction(db, (tx) => keepRemoved(tx, "Nasty Nick"));
  for (const again of ["nasty_nick", "NastyNick", "Násty-Nick", "Nаsty Nіck", "Nasty.Nick"])
    expect((await refusalOf(refuseRemoved(db, again))).details.errors).toEqual({
      username: ["was taken away by a host"],
    });
  await refuseRemoved(db, "Nasty Nicki");
});
