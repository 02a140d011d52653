import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { DatabasePool, Queryable } from "#db/client.ts";
import { functionGrants } from "#db/roles/grants.ts";

const FOLDER = path.join(import.meta.dir, "../../db/releases");

/** What the processes of a release use of its database. */
export const contract = v.object({
  version: v.string(),
  /** Of the release, so that its processes can be started from the history. */
  commit: v.pipe(v.string(), v.regex(/^[\da-f]{40}$/)),
  /** By "table column": its type, and whether a new row must name it. */
  columns: v.record(v.string(), v.object({ type: v.string(), required: v.boolean() })),
  /** The functions that the program calls, by name and arguments: what they return. */
  functions: v.record(v.string(), v.string()),
  /** What the application's role may do: "table privilege" and "table column privilege". */
  rights: v.array(v.string()),
  /** Every statement that the endpoints, pages and tasks have sent. */
  statements: v.array(v.string()),
});
export type Contract = v.InferOutput<typeof contract>;

/** The file with the contract of a release. */
export const contractFile = (version: string): string => path.join(FOLDER, `${version}.json`);

/** The contract of the newest release in db/releases. */
export function readLastContract(): Contract {
  const [newest = ""] = readdirSync(FOLDER)
    .map((file) => file.replace(/\.json$/, ""))
    .sort((one, other) => Bun.semver.order(other, one));
  return v.parse(contract, JSON.parse(readFileSync(contractFile(newest), "utf8")));
}

const columnRow = v.object({ name: v.string(), type: v.string(), required: v.boolean() });
const functionRow = v.object({ name: v.string(), result: v.string() });
const rightRow = v.object({ name: v.string() });

/** What a database offers to the processes of its release. */
export async function readOffer(
  db: Queryable,
  role: string,
): Promise<Pick<Contract, "columns" | "functions" | "rights">> {
  const columns = v.parse(v.array(columnRow), [...(await db.execute(columnsQuery))]);
  const functions = v.parse(v.array(functionRow), [...(await db.execute(functionsQuery))]);
  const rights = v.parse(v.array(rightRow), [...(await db.execute(rightsOf(role)))]);
  return {
    columns: Object.fromEntries(columns.map(({ name, ...column }) => [name, column])),
    functions: Object.fromEntries(
      functions
        .filter(({ name }) => functionGrants.includes(name.replace(/\(.*/, "")))
        .map(({ name, result }) => [name, result]),
    ),
    rights: rights.map(({ name }) => name),
  };
}

/** What foreign keys and functions send to their own database: it runs as the owner of the tables. */
const withinDatabase = /^(?:(?:UPDATE|DELETE FROM|SELECT 1 FROM) ONLY |SELECT require_read_committed)/;

/**
 * The statements that Postgres does not accept here, with its reason: unknown tables and columns, missing rights of the role that is
 * connected. It only plans them.
 */
export async function listUnprepared(
  { sql: client }: DatabasePool,
  statements: readonly string[],
): Promise<{ statement: string; reason: string }[]> {
  const connection = await client.reserve();
  const unprepared: { statement: string; reason: string }[] = [];
  try {
    for (const statement of statements.filter((each) => !withinDatabase.test(each))) {
      try {
        await connection.unsafe(`EXPLAIN (GENERIC_PLAN) ${statement}`);
      } catch (error) {
        unprepared.push({ statement, reason: error instanceof Error ? error.message : String(error) });
      }
    }
  } finally {
    await connection.release();
  }
  return unprepared;
}

/** Where a database no longer offers what the processes of a release use. A sentence each. */
export function listBreaks(used: Contract, offer: Awaited<ReturnType<typeof readOffer>>): string[] {
  const tables = new Set(Object.keys(used.columns).map((name) => name.split(" ")[0]));
  return [
    ...Object.entries(used.columns).flatMap(([name, { type, required }]) => {
      const now = offer.columns[name];
      if (now === undefined) return [`the column ${name} is gone`];
      if (now.type !== type) return [`the column ${name} was ${type} and is ${now.type}`];
      return now.required && !required ? [`the column ${name} must be named now`] : [];
    }),
    ...Object.entries(offer.columns)
      .filter(
        ([name, { required }]) =>
          required && used.columns[name] === undefined && tables.has(name.split(" ")[0]),
      )
      .map(([name]) => `the new column ${name} must be named`),
    ...Object.entries(used.functions).flatMap(([name, result]) => {
      const now = offer.functions[name] ?? withMore(offer.functions, name);
      if (now === undefined) return [`the function ${name} is gone`];
      return now === result ? [] : [`the function ${name} returned ${result} and returns ${now}`];
    }),
    // Which columns it updates is in its statements.
    ...used.rights
      .filter((right) => !right.endsWith(" UPDATE") && !offer.rights.includes(right))
      .map((right) => `the right ${right} is gone`),
  ];
}

/** What a function with further arguments returns. That these have defaults is in the statements: without them none could be prepared. */
const withMore = (functions: Contract["functions"], name: string) =>
  Object.entries(functions).find(([offered]) => offered.startsWith(`${name.slice(0, -1)},`))?.[1];

const columnsQuery = sql`SELECT concat(c.relname, ' ', a.attname) AS name, format_type(a.atttypid, a.atttypmod) AS type,
    c.relkind <> 'v' AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS required
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY 1`;
const functionsQuery = sql`SELECT p.oid::regprocedure::text AS name, pg_get_function_result(p.oid) AS result
  FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace ORDER BY 1`;
const rightsOf = (role: string) => sql`SELECT concat(table_name, ' ', privilege_type) AS name
  FROM information_schema.role_table_grants WHERE grantee = ${role} AND table_schema = 'public'
  UNION SELECT concat(table_name, ' ', column_name, ' ', privilege_type)
  FROM information_schema.role_column_grants WHERE grantee = ${role} AND table_schema = 'public' ORDER BY 1`;
