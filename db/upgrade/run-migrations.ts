import { sql } from "drizzle-orm";
import type { Queryable } from "../client.ts";
import type { Migration } from "./release.ts";

/** Runs migrations and records them in drizzle-orm's table. Its own migrator cannot run in a given transaction. */
export async function runMigrations(db: Queryable, migrations: readonly Migration[]): Promise<void> {
  await db.execute(sql`CREATE SCHEMA IF NOT EXISTS drizzle`);
  await db.execute(sql`CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations (
    id serial PRIMARY KEY, hash text NOT NULL, created_at bigint)`);
  for (const { hash, createdAt, statements } of migrations) {
    for (const statement of statements) await db.execute(sql.raw(statement));
    await db.execute(
      sql`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES (${hash}, ${createdAt})`,
    );
  }
}
