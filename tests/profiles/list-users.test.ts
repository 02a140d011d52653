import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import fc from "fast-check";
import { users } from "#db/schema/users.ts";
import { SEARCH_FOUND_MAX } from "#src/profiles/contract.ts";
import { listUsers } from "#src/profiles/list-users.ts";
import { testDeps } from "#tests/support/deps.ts";

const RUNS = 150;
const PER_PAGE = 5;

const deps = await testDeps();
const { db } = deps.pool;

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
    username: `${name}${index}`,
    email: address === null ? null : `${address.toLowerCase()}${index}@b.test`,
    guest: address === null,
  })),
);
const all = await db.select().from(users).orderBy(asc(users.id));
const now = new Date();
const page = (number: number) => ({ page: number, perPage: PER_PAGE, offset: (number - 1) * PER_PAGE });

async function listIds(search: string | undefined): Promise<number[]> {
  const ids: number[] = [];
  for (let number = 1; ; number += 1) {
    const { users: listed, meta } = await listUsers(db, { query: { search }, page: page(number) }, now);
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

test("without a search all users are listed by id, and counted after each change", async () => {
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
  expect(await list("CROWD_", 1)).toEqual(["crowd_rare", "crowd_1", "crowd_2", "crowd_3", "crowd_4"]);
  expect(await list("CROWD_", lastPage)).toEqual([995, 996, 997, 998, 999].map((index) => `crowd_${index}`));
  expect(await list("CROWD_", lastPage + 1)).toEqual([]);
  expect(await list("d_rare", 1)).toEqual(["crowd_rare"]);
});
