import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { signIns } from "#db/schema/users.ts";
import { foundRow, selectSignIns } from "#src/people/sign-ins/find-sign-in.ts";
import { buildAdmin, buildPlayer, only } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();

test("the rows of the look-up are what their schema says, of a player and of an admin", async () => {
  for (const user of [await buildPlayer(deps), await buildAdmin(deps)]) {
    await signInDirectly(deps, user);
    const { id } = only(await deps.pool.db.select().from(signIns).where(eq(signIns.userId, user.id)));
    const row = only(await selectSignIns(deps.pool, { ids: `{${id}}` }));
    expect(v.is(foundRow, row)).toBe(true);
    expect(row).toMatchObject({ signInId: id, userId: String(user.id), expired: false, stale: false });
  }
});
