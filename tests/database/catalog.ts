import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { DatabasePool } from "#db/client.ts";

const item = v.object({ name: v.string(), definition: v.string() });

/** All objects of a database by name, each with its definition by Postgres. */
export async function readCatalog({ db }: DatabasePool): Promise<Map<string, string>> {
  const items = v.parse(v.array(item), [...(await db.execute(catalog))]);
  return new Map(items.map(({ name, definition }) => [name, definition]));
}

/** The rows that record the upgrades: migrations, sets of db/sql, and the objects that those created. */
export async function readApplied({ db }: DatabasePool): Promise<unknown[]> {
  return [
    ...(await db.execute(sql`SELECT m::text AS line FROM drizzle.__drizzle_migrations m
      UNION ALL SELECT s::text FROM upgrade.sql_sets s UNION ALL SELECT o::text FROM upgrade.sql_objects o ORDER BY 1`)),
  ];
}

// Objects of the system are left out.
const catalog = sql`
  WITH own AS (SELECT oid, nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema)')
  SELECT 'schema ' || nspname AS name, '' AS definition FROM own
  UNION ALL
  SELECT 'function ' || p.oid::regprocedure, pg_get_functiondef(p.oid)
  FROM pg_proc p JOIN own ON own.oid = p.pronamespace
  UNION ALL
  SELECT format('trigger %s %s', t.tgrelid::regclass, t.tgname), pg_get_triggerdef(t.oid)
  FROM pg_trigger t WHERE NOT t.tgisinternal
  UNION ALL
  SELECT format('%s %s', c.relkind, c.oid::regclass),
    coalesce(c.reloptions::text, '') || CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) ELSE '' END
  FROM pg_class c JOIN own ON own.oid = c.relnamespace
  UNION ALL
  SELECT format('constraint %s %s', c.conrelid::regclass, c.conname), pg_get_constraintdef(c.oid)
  FROM pg_constraint c JOIN own ON own.oid = c.connamespace
  UNION ALL
  SELECT 'index ' || i.indexrelid::regclass, pg_get_indexdef(i.indexrelid)
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN own ON own.oid = c.relnamespace
  UNION ALL
  SELECT format('column %s %s', c.oid::regclass, a.attname),
    concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attstorage,
      pg_get_expr(d.adbin, d.adrelid))
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN own ON own.oid = c.relnamespace
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attnum > 0 AND NOT a.attisdropped
  ORDER BY 1`;
