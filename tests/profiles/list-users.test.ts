import { expect, test } from "bun:test";
import { desc, eq, type SQL, sql } from "drizzle-orm";
import fc from "fast-check";
import { signIns, userRoles, users } from "#db/schema/users.ts";
import { usernameColumns } from "#src/people/users/judge-username.ts";
import { SEARCH_FOUND_MAX } from "#src/profiles/contract.ts";
import { listUsers } from "#src/profiles/list-users.ts";
import type { UsersQuery } from "#src/profiles/schemas.ts";
import { testWorld } from "#tests/support/world.ts";

const RUNS = 150;
const PER_PAGE = 5;

const { db } = await testWorld();

/** Few letters, so that searches match often, with those that a pattern or a case would change. */
const letter = fc.constantFrom("a", "b", "A", "ä", "Ä", "%", "_", "\\", "-", "1", "ß", "é", "😀");
const word = (minLength: number, maxLength: number) =>
  fc.array(letter, { minLength, maxLength }).map((letters) => letters.join(""));

const rows = fc.sample(fc.record({ name: word(1, 12), address: fc.option(word(1, 12)) }), {
  numRuns: 120,
  seed: 7,
});
await db.insert(users).values(
  rows.map(({ name, address }, index) => ({
    ...usernameColumns(`${name}${index}`),
    email: address === null ? null : `${address.toLowerCase()}${index}@b.test`,
    guest: address === null,
  })),
);
const all = await db.select().from(users).orderBy(desc(users.id));
const now = new Date();
const page = (number: number) => ({ page: number, perPage: PER_PAGE, offset: (number - 1) * PER_PAGE });

async function listIds(
  search: string | undefined,
  others: Omit<UsersQuery, "search"> = {},
): Promise<number[]> {
  const ids: number[] = [];
  for (let number = 1; ; number += 1) {
    const { users: listed, meta } = await listUsers(
      db,
      { query: { search, ...others }, page: page(number) },
      now,
    );
    ids.push(...listed.map(({ id }) => id));
    if (listed.length > 0) continue;
    // Past the last page too.
    expect(meta).toMatchObject({
      totalCount: ids.length,
      totalPages: Math.max(1, Math.ceil(ids.length / PER_PAGE)),
    });
    return ids;
  }
}

test("a search of any length finds the users whose email or username contains it, in any case", async () => {
  const property = fc.asyncProperty(word(1, 5), async (search) => {
    const wanted = search.toLowerCase();
    const matches = all.filter(({ email, username }) =>
      [email ?? "", username].some((text) => text.toLowerCase().includes(wanted)),
    );
    expect(await listIds(search)).toEqual(matches.map(({ id }) => id));
  });
  await fc.assert(property, { numRuns: RUNS });
});

const idsBy = async (order: SQL, where?: SQL) =>
  (await db.select({ id: users.id }).from(users).where(where).orderBy(order)).map(({ id }) => id);

test("users are listed by name, and by role with and without a search", async () => {
  const byName = sql`${users.usernameLook}`;
  expect(await listIds("", { order: "name" })).toEqual(await idsBy(byName));
  const [boss, helper] = all;
  await db.insert(userRoles).values([
    { userId: boss?.id ?? 0, role: "admin" },
    { userId: helper?.id ?? 0, role: "operator" },
  ]);
  expect(await listIds("", { role: "admin" })).toEqual([boss?.id ?? 0]);
  expect(await listIds("", { role: "operator" })).toEqual([helper?.id ?? 0]);
  expect(await listIds("", { role: "guest" })).toEqual(await idsBy(desc(users.id), eq(users.guest, true)));
  expect(await listIds("", { role: "account", order: "name" })).toEqual(
    await idsBy(byName, eq(users.guest, false)),
  );
  const withA = sql`(${users.username} ILIKE '%a%' OR ${users.email} ILIKE '%a%')`;
  expect(await listIds("a", { role: "guest", order: "name" })).toEqual(
    await idsBy(byName, sql`${users.guest} AND ${withA}`),
  );
});

test("users are listed by their last visit, which each row has; who was never here is not among them", async () => {
  const [first, second, third] = all;
  const seen = (userId: number | undefined, hour: number) => ({
    userId: userId ?? 0,
    csrfSecret: "s",
    expiresAt: new Date("2027-01-01T00:00:00Z"),
    lastSeenAt: new Date(Date.UTC(2026, 10, 21, hour)),
  });
  await db
    .insert(signIns)
    .values([seen(first?.id, 8), seen(second?.id, 9), seen(first?.id, 10), seen(third?.id, 7)]);
  expect(await listIds("", { order: "last_visit" })).toEqual(
    [first, second, third].map((user) => user?.id ?? 0),
  );
  const { users: listed } = await listUsers(db, { query: { order: "last_visit" }, page: page(1) }, now);
  expect(listed.map(({ lastVisitAt }) => lastVisitAt)).toEqual([
    "2026-11-21T10:00:00.000Z",
    "2026-11-21T09:00:00.000Z",
    "2026-11-21T07:00:00.000Z",
  ]);
});

test("without a search all users are listed, the newest first, and counted after each change", async () => {
  expect(await listIds(undefined)).toEqual(all.map(({ id }) => id));
  const [added] = await db
    .insert(users)
    .values([
      { username: "added_one", guest: true },
      { username: "added_two", guest: true },
    ])
    .returning();
  expect(await listIds("")).toHaveLength(all.length + 2);
  if (added !== undefined) await db.delete(users).where(eq(users.id, added.id));
  expect(await listIds("")).toHaveLength(all.length + 1);
});

test("a search lists 1,000 users at most, and a rare text is found among many", async () => {
  await db.insert(users).values(
    Array.from({ length: SEARCH_FOUND_MAX + 1 }, (_, index) => ({
      username: index === 0 ? "crowd_rare" : `crowd_${index}`,
      guest: true,
    })),
  );
  const list = async (search: string, number: number) =>
    (await listUsers(db, { query: { search }, page: page(number) }, now)).users.map(
      ({ username }) => username,
    );
  const lastPage = SEARCH_FOUND_MAX / PER_PAGE;
  const { meta } = await listUsers(db, { query: { search: "CROWD_" }, page: page(lastPage) }, now);
  expect(meta).toMatchObject({ totalCount: SEARCH_FOUND_MAX, totalPages: lastPage });
  expect(await list("CROWD_", 1)).toEqual([1000, 999, 998, 997, 996].map((index) => `crowd_${index}`));
  expect(await list("CROWD_", lastPage)).toEqual([5, 4, 3, 2, 1].map((index) => `crowd_${index}`));
  expect(await list("CROWD_", lastPage + 1)).toEqual([]);
  expect(await list("d_rare", 1)).toEqual(["crowd_rare"]);
});
