import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";

const answer = v.object({ owns: v.boolean() });

/** True if the role of this connection can do what the owner of the tables can. */
export async function ownsTables(db: Queryable): Promise<boolean> {
  const [row] = await db.execute(sql`SELECT r.rolsuper OR coalesce((
      SELECT pg_has_role(r.oid, c.relowner, 'MEMBER') FROM pg_class c WHERE c.oid = to_regclass('public.journal')
    ), false) AS owns FROM pg_roles r WHERE r.rolname = current_user`);
  return v.parse(answer, row).owns;
}
