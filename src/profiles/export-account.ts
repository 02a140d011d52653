import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { streamParts } from "#src/http/stream-parts.ts";
import { exportedLists } from "./exported-lists.ts";
import { findExportedProfile } from "./find-exported-profile.ts";

/**
 * Streams everything that is stored about a user as a JSON file: the profile and the wallet, then one list for each kind of record.
 * Lists are read in batches by key, so that a long history needs no memory and holds no database connection while a slow client
 * downloads.
 */
export async function exportAccount(deps: Deps, userId: number): Promise<Response> {
  const profile = await findExportedProfile(deps.pool.db, userId);
  const guests = await deps.pool.db.select({ id: users.id }).from(users).where(eq(users.mergedInto, userId));
  const playerIds = [userId, ...guests.map(({ id }) => id)];
  return new Response(streamParts(writeParts(deps, playerIds, profile)), {
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-disposition": `attachment; filename="called-it-account-${userId}.json"`,
      "cache-control": "private, no-store",
    },
  });
}

/** @param playerIds the user, and the guests that are a part of the account. */
async function* writeParts(
  deps: Deps,
  playerIds: readonly number[],
  profile: object,
): AsyncGenerator<string> {
  yield JSON.stringify({ exportedAt: serverNow().toISOString(), ...profile }).slice(0, -1);
  for (const [name, read] of Object.entries(exportedLists)) {
    yield `,\n"${name}":[`;
    let separator = "";
    for (const id of playerIds)
      for await (const batch of read(deps, id)) {
        yield `${separator}\n${batch.map((row) => JSON.stringify(row)).join(",\n")}`;
        separator = ",";
      }
    yield "]";
  }
  yield "}\n";
}
