import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { users } from "#db/schema/users.ts";
import { findBadWord } from "#src/base/find-bad-word.ts";
import { faceField } from "#src/people/avatars/schemas.ts";
import { keepRemoved } from "#src/people/users/judge-username.ts";
import { usernameField } from "#src/people/users/schemas.ts";
import { guestName, guestNamesCount, suggestGuest } from "#src/people/users/suggest-guest.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const all = Array.from({ length: guestNamesCount }, (_, number) => guestName(number));

test("every name that can be suggested, with its longest number too, may be a username and is no insult", () => {
  expect(new Set(all.map((name) => name.toLowerCase())).size).toBe(guestNamesCount);
  expect(guestNamesCount).toBeGreaterThan(2_000);
  const unfit = all.filter((name) => !v.is(usernameField, `${name}999`) || findBadWord(name) !== null);
  expect(unfit).toEqual([]);
});

test("a suggestion has a face, is another one each time, and writes nothing", async () => {
  const before = await deps.pool.db.$count(users);
  const suggested = await Promise.all(Array.from({ length: 20 }, () => suggestGuest(deps)));
  expect(suggested.filter(({ username }) => !all.includes(username))).toEqual([]);
  expect(suggested.filter(({ face }) => !v.is(faceField, face))).toEqual([]);
  expect(new Set(suggested.map(({ username }) => username)).size).toBeGreaterThan(10);
  expect(await deps.pool.db.$count(users)).toBe(before);
});

test("names that somebody has, or that a host took away, are not suggested: then they get a number", async () => {
  const [free = "", removed = "", ...taken] = all;
  await deps.pool.db.execute(sql`
    INSERT INTO ${users} (username, guest) SELECT upper(name), true FROM unnest(${sql.param(taken)}::text[]) AS name`);
  await keepRemoved(deps.pool.db, removed);
  const suggested = await Promise.all(Array.from({ length: 40 }, () => suggestGuest(deps)));
  for (const { username } of suggested) {
    if (username !== free) expect(username).toMatch(/^[A-Z][a-z]+[A-Z][a-z]+\d{1,3}$/);
    expect(v.is(usernameField, username)).toBe(true);
  }
  expect(suggested.map(({ username }) => username)).not.toContain(removed);
});
