import { and, asc, eq, gt, type SQL } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { signIns } from "#db/schema/users.ts";
import { describeBrowser } from "#src/people/sign-ins/describe-browser.ts";

/** How many rows are in memory at once. */
const BATCH_SIZE = 500;

/** Reads all sign-ins of a user without their secrets, in batches. */
export async function* readSignIns(db: Queryable, userId: number): AsyncGenerator<readonly object[]> {
  let behind: SQL | undefined;
  for (;;) {
    const rows = await db
      .select()
      .from(signIns)
      .where(and(eq(signIns.userId, userId), behind))
      .orderBy(asc(signIns.id))
      .limit(BATCH_SIZE);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ csrfSecret: _secret, userAgent, ...row }) => ({
      ...row,
      userAgent,
      browser: describeBrowser(userAgent),
    }));
    if (rows.length < BATCH_SIZE) return;
    behind = gt(signIns.id, last.id);
  }
}
