import { expect, test } from "bun:test";
import { eq, inArray, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { signIns } from "#db/schema/users.ts";
import { touchSignIn } from "#src/people/sign-ins/find-sign-in.ts";
import { buildSignedIn } from "#tests/live/cable/cable-server.ts";
import { only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, set } = await testWorld({}, { poolSize: 10 });

/** Sign-ins that were last seen so many seconds ago. */
async function buildSeen(secondsAgo: number, count: number): Promise<string[]> {
  const ids = await Promise.all(
    Array.from({ length: count }, async () => (await buildSignedIn(deps)).signInId),
  );
  await set(signIns, inArray(signIns.id, ids), {
    lastSeenAt: sql`clock_timestamp() - make_interval(secs => ${secondsAgo})`,
  });
  return ids;
}
/** How many of these were seen within the last seconds. */
const countSeen = async (ids: readonly string[]) => {
  const rows = await db
    .select()
    .from(signIns)
    .where(inArray(signIns.id, [...ids]));
  return rows.filter(({ lastSeenAt }) => lastSeenAt.getTime() > Date.now() - 30_000).length;
};

test("a sign-in that is locked holds up none of the others, and is recorded with its next request", async () => {
  const [locked = "", ...others] = await buildSeen(90, 3);
  await inTransaction(db, async (tx) => {
    only(await tx.select().from(signIns).where(eq(signIns.id, locked)).for("update"));
    await Promise.all([locked, ...others].map((id) => touchSignIn(deps, id)));
    expect(await countSeen(others)).toBe(2);
  });
  expect(await countSeen([locked])).toBe(0);
  await touchSignIn(deps, locked);
  expect(await countSeen([locked])).toBe(1);
});
