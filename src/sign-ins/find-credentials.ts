import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { viewerColumns } from "./find-sign-in.ts";
import { isUnconfirmedNow } from "./find-sign-in.ts";
import { isLockedNow } from "./lock-account.ts";
import { type Viewer, viewerRow } from "./viewer.ts";

const credentialsRow = v.object({
  passwordHash: v.nullable(v.string()),
  locked: v.boolean(),
  deactivated: v.boolean(),
  unconfirmed: v.boolean(),
});

/** Somebody, with what keeps them out. */
export type Credentials = v.InferOutput<typeof credentialsRow> & { viewer: Viewer };

/**
 * Finds whoever has this email, lower-cased, with what a sign-in is checked against.
 * @param lock in a transaction: nobody else changes the user until its end.
 */
export async function findCredentials(
  db: Queryable,
  email: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<Credentials | null> {
  const [row] = await db.execute(sql`
    SELECT ${users.passwordHash} AS "passwordHash", ${isLockedNow} AS locked,
      ${users.deactivatedAt} IS NOT NULL AS deactivated, ${isUnconfirmedNow} AS unconfirmed, ${viewerColumns}
    FROM ${users} WHERE ${users.email} = ${email} ${lock ? sql`FOR NO KEY UPDATE` : sql``}`);
  if (row === undefined) return null;
  return { ...v.parse(credentialsRow, row), viewer: v.parse(viewerRow, row) };
}
