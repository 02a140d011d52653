import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { viewerColumns } from "./find-sign-in.ts";
import { type Viewer, viewerRow } from "./viewer.ts";

/** A user as a viewer. Throws if there is no user with this id. */
export async function findViewer(db: Queryable, userId: number): Promise<Viewer> {
  const [row] = await db.execute(sql`SELECT ${viewerColumns} FROM ${users} WHERE ${users.id} = ${userId}`);
  return v.parse(viewerRow, row);
}
