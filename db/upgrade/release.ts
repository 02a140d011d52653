import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import * as v from "valibot";
import { COMPATIBLE_SINCE } from "./compatible-since.ts";

const dbFolder = path.join(import.meta.dir, "..");

/** A migration as `drizzle-kit generate` wrote it. */
export type Migration = { name: string; hash: string; createdAt: number; statements: string[] };

/** One file of db/sql. `name` is its path in that folder. */
export type SqlFile = { name: string; text: string };

/** The migrations and SQL files of one release of the program. */
export type Release = {
  version: string;
  /** The oldest release whose processes can work with a database of this one. */
  compatibleSince: string;
  /** In order; the first is the baseline. */
  migrations: readonly Migration[];
  beforeTables: readonly SqlFile[];
  afterTables: readonly SqlFile[];
};

const packageFile = v.object({ version: v.string() });
const journal = v.object({ entries: v.array(v.object({ tag: v.string() })) });

/** Reads the release of this program from db/migrations and db/sql. */
export function readRelease(): Release {
  const packageText = readFileSync(path.join(dbFolder, "../package.json"), "utf8");
  return {
    version: v.parse(packageFile, JSON.parse(packageText)).version,
    compatibleSince: COMPATIBLE_SINCE,
    migrations: readMigrations(path.join(dbFolder, "migrations")),
    ...readSql(path.join(dbFolder, "sql")),
  };
}

/** A hash that identifies a set of functions, triggers and views. Copies of the same files have the same hash. */
export function hashSql({ beforeTables: before, afterTables: after }: Release): string {
  const hash = createHash("sha256");
  for (const { name, text } of [...before, ...after]) hash.update(`${name}\n${text.length}\n${text}\n`);
  return hash.digest("hex");
}

function readMigrations(folder: string): Migration[] {
  const { entries } = v.parse(
    journal,
    JSON.parse(readFileSync(path.join(folder, "meta/_journal.json"), "utf8")),
  );
  return readMigrationFiles({ migrationsFolder: folder }).map(({ hash, folderMillis, sql }, index) => ({
    name: entries[index]?.tag ?? String(index),
    hash,
    createdAt: folderMillis,
    statements: sql,
  }));
}

/**
 * Functions that table defaults and indexes call. They are created before the tables and replaced in place, because the tables depend on
 * them. A new signature needs a migration.
 */
const beforeTables = ["functions/game-now.sql", "functions/new-join-code.sql", "functions/search-grams.sql"];
/** A view comes after those that it reads. */
const views = ["exposure", "tampered-rows", "wrong-states", "wrong-rows"].map((name) => `views/${name}.sql`);

/** All functions, then all triggers, which call them, then the views. A function in SQL stands in its file after those that it calls. */
function readSql(folder: string): Pick<Release, "beforeTables" | "afterTables"> {
  const filesIn = (kind: string) =>
    readdirSync(path.join(folder, kind), "utf8")
      .filter((file) => file.endsWith(".sql"))
      .map((file) => `${kind}/${file}`);
  const unlisted = filesIn("views").filter((name) => !views.includes(name));
  if (unlisted.length > 0) throw new Error(`db/upgrade/release.ts does not list ${unlisted.join(", ")}`);
  const functions = filesIn("functions").filter((name) => !beforeTables.includes(name));
  const read = (name: string): SqlFile => ({
    name,
    text: readFileSync(path.join(folder, name), "utf8").replaceAll("\r\n", "\n"),
  });
  const afterTables = [...functions.toSorted(), ...filesIn("triggers").toSorted(), ...views];
  return { beforeTables: beforeTables.map(read), afterTables: afterTables.map(read) };
}
