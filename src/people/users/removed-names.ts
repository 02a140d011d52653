import { createHash } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { removedNames } from "#db/schema/users.ts";
import { invalid } from "#src/base/refusal.ts";
import { barePartOf } from "./judge-username.ts";

// Decision: a name that a host has taken away is refused to everybody, because its player could come back as another guest. It is
// kept as a hash, so that it needs no erasure. An admin who gives it to somebody allows it again.

/** Records that a name was taken away. */
export async function keepRemoved(tx: Queryable, username: string): Promise<void> {
  await tx
    .insert(removedNames)
    .values({ hash: hashOf(username) })
    .onConflictDoNothing();
}

/** Lets a name be chosen again. */
export async function allowAgain(tx: Queryable, username: string): Promise<void> {
  await tx.delete(removedNames).where(eq(removedNames.hash, hashOf(username)));
}

/** Refuses a username that was taken away, also in another way to write it: 422. */
export async function refuseRemoved(tx: Queryable, username: string): Promise<void> {
  if ((await tx.$count(removedNames, eq(removedNames.hash, hashOf(username)))) > 0)
    throw invalid({ username: ["was taken away by a host"] });
}

/** Those of these names that were taken away. */
export async function findRemoved(db: Queryable, names: readonly string[]): Promise<ReadonlySet<string>> {
  const hashes = new Map(names.map((name) => [hashOf(name), name]));
  const rows = await db
    .select({ hash: removedNames.hash })
    .from(removedNames)
    .where(inArray(removedNames.hash, [...hashes.keys()]));
  return new Set(rows.flatMap(({ hash }) => hashes.get(hash) ?? []));
}

function hashOf(username: string): string {
  return createHash("sha256").update(barePartOf(username)).digest("base64url");
}
