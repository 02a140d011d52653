import { connect } from "#db/client.ts";
import { createDatabase, dropDatabase } from "#db/create-database.ts";
import { migrate } from "#db/migrate.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Report } from "../schemas.ts";
import { buildPlay } from "./build-play.ts";
import { playShow } from "./play-show.ts";
import type { Play } from "./play.ts";
import { writeReport } from "./write-report.ts";

type DryRun = Pick<Play, "plan" | "options" | "pulse"> & {
  /** The name of the database that it creates and drops. */
  database: string;
};

/**
 * Plays a plan in a database of its own, beside the product's on the same server: the product's rows, Redis, queues and messages
 * are never touched. The same plan and options give the same text, in any process and at any time.
 * @returns the report as JSON.
 * @throws DatabaseNotCreated if the server creates no database for us; whatever `pulse` throws.
 */
export async function runDryRun(
  product: Pick<Deps, "env" | "log">,
  { plan, options, pulse, database }: DryRun,
): Promise<string> {
  const { directDatabaseUrl: productUrl } = product.env;
  const databaseUrl = await createDatabase(productUrl, database);
  try {
    await migrate(databaseUrl);
    return await playIn(product, { databaseUrl, plan, options, pulse });
  } finally {
    await dropDatabase(productUrl, database);
  }
}

async function playIn(
  { env, log }: Pick<Deps, "env" | "log">,
  { databaseUrl, ...run }: Omit<DryRun, "database"> & { databaseUrl: string },
): Promise<string> {
  // One connection: its clock is the show's.
  await using pool = connect(databaseUrl, { poolSize: 1 });
  // A crash loses the whole dry run anyway.
  await pool.sql`SET synchronous_commit = off`;
  const addresses = { databaseUrl, directDatabaseUrl: databaseUrl, ownerDatabaseUrl: databaseUrl };
  const own = { ...env, ...addresses, applicationRole: null };
  const play = await buildPlay({ env: own, log }, { pool, ...run });
  await playShow(play);
  return formatReport(await writeReport(play));
}

/** The report as JSON, with one line for each member of a list, so that two reports can be compared line by line. */
function formatReport(report: Report): string {
  const parts = Object.entries(report).map(([key, value]) => `${JSON.stringify(key)}: ${formatPart(value)}`);
  return `{\n${parts.join(",\n")}\n}\n`;
}

function formatPart(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  return `[\n${value.map((member) => JSON.stringify(member)).join(",\n")}\n]`;
}
