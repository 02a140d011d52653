import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { sessions } from "#db/schema/sessions.ts";
import { totalOf } from "#src/http/list-meta.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, build } = await testWorld();
const { db } = deps.pool;

test("a query is prepared once for a database and a variant", () => {
  const built: string[] = [];
  const prepared = prepareQuery(
    (_db, variant: string) => built.push(variant),
    (variant) => variant,
  );
  for (const variant of ["one", "two", "one", "two"]) prepared(db, variant);
  expect(built).toEqual(["one", "two"]);
});

test("in a transaction a prepared query sees what the transaction has changed, and others do not", async () => {
  const session = await build.session({ slug: "prepared" });
  const nameOf = prepareQuery((of) =>
    of
      .select({ name: sessions.name })
      .from(sessions)
      .where(eq(sessions.id, sql.placeholder("id")))
      .prepare("name_of"),
  );
  const before = await nameOf(db).execute({ id: session.id });
  await inTransaction(db, async (tx) => {
    await tx.update(sessions).set({ name: "Changed" }).where(eq(sessions.id, session.id));
    expect(await nameOf(tx).execute({ id: session.id })).toEqual([{ name: "Changed" }]);
    expect(await nameOf(db).execute({ id: session.id })).toEqual(before);
  });
});

test("the rows of a list are counted only where its page does not tell their number", async () => {
  const countRows = () => Promise.resolve(1_000);
  const page = (number: number) => ({ page: number, perPage: 20, offset: (number - 1) * 20 });
  expect(await totalOf(page(1), 0, countRows)).toBe(0);
  expect(await totalOf(page(1), 7, countRows)).toBe(7);
  expect(await totalOf(page(3), 1, countRows)).toBe(41);
  expect(await totalOf(page(1), 20, countRows)).toBe(1_000);
  expect(await totalOf(page(900), 0, countRows)).toBe(1_000);
});
