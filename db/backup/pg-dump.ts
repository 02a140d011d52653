import { sql } from "drizzle-orm";
import * as v from "valibot";
import { connect, inTransaction, type Queryable } from "../client.ts";
import { queryRows } from "../ledger/query.ts";
import { createSql, dropSql } from "../upgrade/apply-sql.ts";
import { DatabaseRefused } from "../upgrade/refusal.ts";
import { readRelease } from "../upgrade/release.ts";
import { runMigrations } from "../upgrade/run-migrations.ts";
import { readState } from "../upgrade/state.ts";
import type { DatabaseContents } from "./contents.ts";
import { quoted } from "./copy-columns.ts";
import { refuseFilledDatabase } from "./load-database.ts";
import { findPgProgram, type PgProgram } from "./pg-programs.ts";
import { refuseContents } from "./refuse-contents.ts";

/** Compression is the work of the backup, which compresses everything. */
const DUMP_OPTIONS = ["--format=custom", "--compress=0", "--no-owner", "--no-privileges"];
const RESTORE_OPTIONS = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"];

/** SQLSTATEs of what pg_dump only says in words. */
const sqlStates: readonly [words: RegExp, state: string][] = [
  [/permission denied/, "42501"],
  [/too many (clients|connections)|remaining connection slots/, "53300"],
  [/password authentication failed/, "28P01"],
];

/** pg_dump has failed. The message has its errors, without the statement of several kB that it prints below them. */
class PgDumpFailed extends Error {
  override readonly name = "PgDumpFailed";
  /** The SQLSTATE, where it is known. */
  readonly code: string | undefined;

  constructor(output: string) {
    const lines = output.trim().split("\n");
    const errors = lines.filter((line) => line.startsWith("pg_dump: error:"));
    super(errors.length === 0 ? `pg_dump failed: ${lines[0] ?? ""}` : errors.join("\n"));
    this.code = sqlStates.find(([words]) => words.test(output))?.[1];
  }
}

/** Runs pg_dump on a snapshot. The stream is its custom format; it fails if pg_dump fails. */
export async function* dumpDatabase(
  { file, env }: PgProgram,
  snapshotName: string,
): AsyncGenerator<Uint8Array> {
  const child = Bun.spawn([file, ...DUMP_OPTIONS, `--snapshot=${snapshotName}`], {
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const errors = new Response(child.stderr).text();
  yield* child.stdout;
  if ((await child.exited) !== 0) throw new PgDumpFailed(await errors);
}

/**
 * Fills an empty database with pg_restore, in one transaction.
 * @param parts the custom format of pg_dump.
 * @throws DatabaseRefused if the database is not empty, if the backup is of a newer release, or if there is no pg_restore for it.
 */
export async function restoreDump(
  url: string,
  contents: DatabaseContents,
  parts: AsyncIterable<Uint8Array>,
): Promise<void> {
  refuseContents(contents);
  const program = requirePgRestore(url, contents);
  const pool = connect(url, { poolSize: 1 });
  try {
    await refuseFilledDatabase(pool.db);
    await runRestore(program, parts);
    await inTransaction(pool.db, async (tx) => {
      await tx.execute(sql`SET LOCAL statement_timeout = 0`);
      const release = readRelease();
      const { pendingMigrations } = await readState(tx, release);
      await dropSql(tx);
      await renewTransactionIds(tx);
      await runMigrations(tx, pendingMigrations);
      await createSql(tx, release);
    });
  } finally {
    await pool.close();
  }
}

/** @throws DatabaseRefused if this machine has no pg_restore for the backup. */
export function requirePgRestore(url: string, { postgres }: DatabaseContents): PgProgram {
  const program = findPgProgram("pg_restore", url, postgres);
  if (program !== null) return program;
  throw new DatabaseRefused(
    `The backup was made by pg_dump of Postgres ${postgres}, and this machine has no pg_restore of that version or a newer one. ` +
      `Install the client programs of Postgres ${postgres}. Nothing was written.`,
  );
}

async function runRestore({ file, env }: PgProgram, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const child = Bun.spawn([file, ...RESTORE_OPTIONS, `--dbname=${env["PGDATABASE"] ?? ""}`], {
    env,
    stdin: "pipe",
    stdout: "ignore",
    stderr: "pipe",
  });
  const errors = new Response(child.stderr).text();
  try {
    for await (const bytes of parts) {
      await child.stdin.write(bytes);
      await child.stdin.flush();
    }
    await child.stdin.end();
  } catch (error) {
    // Without the end of its input pg_restore would wait, and then commit what it has.
    child.kill("SIGKILL");
    throw error;
  }
  if ((await child.exited) !== 0) throw new Error(`pg_restore failed:\n${(await errors).trim()}`);
}

const xidColumn = v.object({ table: v.string(), column: v.string() });

/**
 * Sets the stored ids of transactions to this one. Those of the backup are of another cluster, where later transactions could
 * have the same ids. Call it while there are no triggers.
 */
async function renewTransactionIds(tx: Queryable): Promise<void> {
  for (const { table, column } of await queryRows(tx, xidColumn, xidColumns)) {
    await tx.execute(sql.raw(`UPDATE public.${quoted(table)} SET ${quoted(column)} = pg_current_xact_id()`));
  }
}

const xidColumns = sql`SELECT c.relname AS table, a.attname AS column FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
  AND a.atttypid = 'xid8'::regtype`;
