import { createHash } from "node:crypto";
import { inArray, sql } from "drizzle-orm";
import { addressOf } from "#db/address.ts";
import { dropDatabase, listDatabases } from "#db/create-database.ts";
import { unfinishedDryRunStates } from "#db/lists/dry-runs.ts";
import { dryRuns } from "#db/schema/dry-runs.ts";
import type { Deps } from "#src/base/deps.ts";
import { DRY_RUN_KEPT_DAYS } from "./contract.ts";

/** Postgres cuts names off at 63 bytes; the rest is for the suffix and the id. */
const PRODUCT_LENGTH_MAX = 32;
const HASH_LENGTH = 8;

/** How the names of the databases of dry runs begin, beside the product's database. */
export function databasePrefix(productUrl: string): string {
  return `${shorten(addressOf(productUrl).database)}_dry_run_`;
}

/** Another name stays another one: a long name ends with a hash of all of it. */
function shorten(product: string): string {
  if (product.length <= PRODUCT_LENGTH_MAX) return product;
  const hash = createHash("sha256").update(product).digest("hex").slice(0, HASH_LENGTH);
  return `${product.slice(0, PRODUCT_LENGTH_MAX - HASH_LENGTH)}${hash}`;
}

/** The dry run to which a database belongs; null for any other database. */
export function dryRunOf(productUrl: string, database: string): number | null {
  const prefix = databasePrefix(productUrl);
  const id = database.startsWith(prefix) ? database.slice(prefix.length) : "";
  return /^\d+$/.test(id) ? Number(id) : null;
}

/** Deletes old dry runs, and the databases of those whose worker died before it could drop them. */
export async function pruneDryRuns({ env, pool }: Pick<Deps, "env" | "pool">): Promise<void> {
  await pool.db.execute(
    sql`DELETE FROM dry_runs WHERE created_at < clock_timestamp() - make_interval(days => ${DRY_RUN_KEPT_DAYS})`,
  );
  const url = env.directDatabaseUrl;
  const databases = await listDatabases(url, databasePrefix(url));
  if (databases.length === 0) return;
  // Read after the databases: a dry run that has begun in between is among them.
  const unfinished = await pool.db
    .select({ id: dryRuns.id })
    .from(dryRuns)
    .where(inArray(dryRuns.state, [...unfinishedDryRunStates]));
  for (const database of databases) {
    const id = dryRunOf(url, database);
    if (id !== null && unfinished.every((each) => each.id !== id)) await dropDatabase(url, database);
  }
}
