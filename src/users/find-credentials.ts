import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { viewerColumns } from "./find-sign-in.ts";
import { type Viewer, viewerRow } from "./viewer.ts";

const credentialsRow = v.object({ passwordHash: v.nullable(v.string()), deactivated: v.boolean() });

export type Credentials = { viewer: Viewer; passwordHash: string | null; deactivated: boolean };

/** Finds whoever has this email, lower-cased, with what a sign-in is checked against. */
export async function findCredentials(db: Queryable, email: string): Promise<Credentials | null> {
  const [row] = await db.execute(sql`
    SELECT ${users.passwordHash} AS "passwordHash", ${users.deactivatedAt} IS NOT NULL AS deactivated, ${viewerColumns}
    FROM ${users} WHERE ${users.email} = ${email}`);
  if (row === undefined) return null;
  return { ...v.parse(credentialsRow, row), viewer: v.parse(viewerRow, row) };
}
