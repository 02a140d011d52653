import { openSync, readSync, statSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import type { DatabasePool } from "#db/client.ts";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { testServers } from "#tests/support/servers.ts";

/** What a statement read of one table. */
export type Read = { table: string; rows: number; by: string; statement: string };

type Node = {
  "Node Type": string;
  "Relation Name"?: string | undefined;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number | undefined;
  "Rows Removed by Index Recheck"?: number | undefined;
  Plans?: Node[] | undefined;
};

const node: v.GenericSchema<Node> = v.object({
  "Node Type": v.string(),
  "Relation Name": v.optional(v.string()),
  "Actual Rows": v.number(),
  "Actual Loops": v.number(),
  "Rows Removed by Filter": v.optional(v.number()),
  "Rows Removed by Index Recheck": v.optional(v.number()),
  Plans: v.optional(v.array(v.lazy(() => node))),
});
const explained = v.object({ "Query Text": v.string(), Plan: node });

/** The settings of auto_explain: each statement that ended, those inside of functions too, with what each step has read. */
const settings = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_format": "json",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_parameter_max_length": "0",
  max_parallel_workers_per_gather: "0",
};
/** A small table is read whole because that costs little. With these settings a plan is that of a large table, if an index allows it. */
const asInLargeTables = { enable_seqscan: "off", enable_hashjoin: "off", enable_mergejoin: "off" };

/**
 * Lets Postgres log the plan of each statement that the application's role runs in this database, over connections that are opened
 * from now on.
 * @param options asLarge: the tables are small, and the plans are to be those of large ones.
 */
export async function logPlans({ sql }: DatabasePool, { asLarge }: { asLarge: boolean }): Promise<void> {
  const [{ database }] = v.parse(
    v.tuple([v.object({ database: v.string() })]),
    Array.from(await sql`SELECT current_database() AS database`),
  );
  for (const [name, value] of Object.entries({ ...settings, ...(asLarge ? asInLargeTables : {}) }))
    await sql.unsafe(`ALTER ROLE ${APPLICATION_ROLE} IN DATABASE ${database} SET ${name} = '${value}'`);
}

/** `statements`: all that were read so far, as they were sent. */
type PlanLog = { readNew: () => Read[]; statements: Set<string> };

/** The log of the tests' Postgres. */
export async function openPlanLog(): Promise<PlanLog> {
  const { dataFolder } = await testServers();
  const file = path.join(dataFolder.dataDir, "postgres.log");
  const descriptor = openSync(file, "r");
  let from = statSync(file).size;
  const statements = new Set<string>();
  return {
    statements,
    readNew: () => {
      const log = Buffer.alloc(statSync(file).size - from);
      readSync(descriptor, log, 0, log.length, from);
      from += log.length;
      return plansIn(log.toString()).flatMap(({ "Query Text": statement, Plan }) => {
        statements.add(statement);
        return readsOf(Plan).map((read) => ({ ...read, statement: statement.replaceAll(/\s+/g, " ") }));
      });
    },
  };
}

/** A plan follows its line of the log, each of its lines after a tab. */
function plansIn(log: string): v.InferOutput<typeof explained>[] {
  return [...log.matchAll(/ plan:\n((?:\t.*\n)+)/g)].map(([, json = ""]) =>
    v.parse(explained, JSON.parse(json)),
  );
}

/** Rows that were read and not needed count too. */
function readsOf(plan: Node): Omit<Read, "statement">[] {
  const { Plans = [], "Relation Name": table } = plan;
  const passed =
    plan["Actual Rows"] +
    (plan["Rows Removed by Filter"] ?? 0) +
    (plan["Rows Removed by Index Recheck"] ?? 0);
  const own =
    table === undefined
      ? []
      : [{ table, rows: Math.round(passed * plan["Actual Loops"]), by: plan["Node Type"] }];
  return [...own, ...Plans.flatMap(readsOf)];
}

export const LIBRARY = "pg_stat_statements";

const touchedRow = v.object({ statement: v.string(), blocks: v.number() });
/** A statement, and the blocks of tables and indexes that one run of it has touched in the mean. */
type Touched = v.InferOutput<typeof touchedRow>;

/** Counts the blocks that each statement of the application touches, also inside of functions. Postgres must have started with LIBRARY. */
export async function countBlocks({ sql }: DatabasePool): Promise<void> {
  await sql.unsafe(`CREATE EXTENSION ${LIBRARY}`);
  await sql.unsafe(`ALTER ROLE ${APPLICATION_ROLE} SET ${LIBRARY}.track = 'all'`);
}

/** The statements that have touched the most blocks since the last call. Resets the counts. */
export async function readTouched({ sql }: DatabasePool): Promise<Touched[]> {
  const rows = await sql`SELECT regexp_replace(query, '\\s+', ' ', 'g') AS statement,
      ((shared_blks_hit + shared_blks_read) / calls)::float8 AS blocks
    FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid
    WHERE r.rolname = ${APPLICATION_ROLE} ORDER BY 2 DESC LIMIT 100`;
  await sql`SELECT pg_stat_statements_reset()`;
  return v.parse(v.array(touchedRow), [...rows]);
}
