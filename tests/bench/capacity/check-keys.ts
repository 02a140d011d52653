import type { BenchDeps } from "../bench-deps.ts";
import { distribution, type Placement } from "./distribution.ts";

/** A unique, primary or foreign key of a table. `references`: of a foreign key. */
export type Key = {
  table: string;
  name: string;
  kind: "primary" | "unique" | "foreign";
  columns: string[];
  references: { table: string; columns: string[] } | null;
};

/** A key that several servers could not hold, and why. */
export type BrokenKey = Key & { why: string };

/** Reads all keys of the database: the constraints, and the unique indexes without one. */
export async function readKeys({ pool }: BenchDeps): Promise<Key[]> {
  const constraints: Row[] = await pool.sql`
    SELECT c.conrelid::regclass::text AS table, c.conname AS name, c.contype::text AS kind,
      array_to_string(ARRAY(SELECT attname FROM unnest(c.conkey) WITH ORDINALITY k(num, ord)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.num ORDER BY ord), ',') AS columns,
      c.confrelid::regclass::text AS other,
      array_to_string(ARRAY(SELECT attname FROM unnest(c.confkey) WITH ORDINALITY k(num, ord)
        JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.num ORDER BY ord), ',') AS "otherColumns"
    FROM pg_constraint c WHERE c.contype IN ('p', 'u', 'f') AND c.connamespace = 'public'::regnamespace
    UNION ALL
    SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text, 'u',
      array_to_string(ARRAY(SELECT pg_get_indexdef(i.indexrelid, n, true) FROM generate_series(1, i.indnkeyatts) n), ','),
      '-', ''
    FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
    WHERE i.indisunique AND t.relnamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u'))
    ORDER BY 1, 3, 2`;
  return constraints.map(({ table, name, kind, columns, other, otherColumns }) => ({
    table,
    name,
    kind: kindOf(kind),
    columns: columns.split(","),
    references: kind === "f" ? { table: other, columns: otherColumns.split(",") } : null,
  }));
}

type Row = Record<"table" | "name" | "kind" | "columns" | "other" | "otherColumns", string>;

function kindOf(letter: string): Key["kind"] {
  if (letter === "f") return "foreign";
  return letter === "p" ? "primary" : "unique";
}

/** The names of all tables. */
export async function readTables({ pool }: BenchDeps): Promise<string[]> {
  const rows: { name: string }[] = await pool.sql`
    SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`;
  return rows.map(({ name }) => name);
}

/** The columns that each distributed table lacks. */
export async function readMissingColumns({ pool }: BenchDeps): Promise<string[]> {
  const rows: { name: string }[] = await pool.sql`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'`;
  const existing = new Set(rows.map(({ name }) => name));
  return [...distribution].flatMap(([table, placement]) => {
    const column = columnOf(placement);
    return column === null || existing.has(`${table}.${column}`) ? [] : [`${table}.${column}`];
  });
}

/** The keys that this distribution breaks. Throws for a table that is not in it. */
export function findBrokenKeys(keys: readonly Key[]): BrokenKey[] {
  return keys.flatMap((key) => {
    const why = key.references === null ? whyNotUnique(key) : whyNotForeign(key, key.references);
    return why === null ? [] : [{ ...key, why }];
  });
}

/** Each server sees its own rows only, so a unique key must contain what decides on the server. */
function whyNotUnique({ table, columns }: Key): string | null {
  const column = columnOf(placementOf(table));
  return column === null || columns.includes(column) ? null : `unique on one server only: without ${column}`;
}

/** A row and what it refers to must be on the same server. */
function whyNotForeign({ table, columns }: Key, target: { table: string; columns: string[] }): string | null {
  const [from, to] = [placementOf(table), placementOf(target.table)];
  if (to === "reference" || (to === "local" && columnOf(from) === null)) return null;
  if (to === "local") return `${target.table} is on one server, ${table} on all`;
  if (columnOf(from) === null) return `${target.table} is distributed, ${table} is not`;
  const at = columns.indexOf(columnOf(from) ?? "");
  return at >= 0 && target.columns[at] === columnOf(to) ? null : "does not pair the distribution columns";
}

function placementOf(table: string): Placement {
  const placement = distribution.get(table);
  if (placement === undefined) throw new Error(`distribution.ts does not say where ${table} would be`);
  return placement;
}

function columnOf(placement: Placement): string | null {
  return typeof placement === "string" ? null : placement.by;
}
