import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { DatabaseRefused } from "../upgrade/refusal.ts";
import { functionGrants, readSchemas, tableGrants } from "./grants.ts";

/**
 * Gives the application's role exactly the rights of grants.ts, and takes every other one away. Call it in a transaction, as the
 * owner of the tables, after the tables and functions are there. Repeating it changes nothing.
 * @throws DatabaseRefused if there is no such role.
 */
export async function applyGrants(tx: Queryable, role: string): Promise<void> {
  const [row] = await tx.execute(
    sql`SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = ${role}) AS exists`,
  );
  if (!v.parse(found, row).exists) throw missingRole(role);
  const relations = v.parse(v.array(relation), [...(await tx.execute(ownRelations))]);
  const functions = v.parse(v.array(signature), [...(await tx.execute(ownFunctions))]);
  const to = quoted(role);
  const schemas = ["public", ...readSchemas].join(", ");
  const statements = [
    // Only what the role may do counts, not what everybody may.
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    ...relations.map(({ name }) => `REVOKE ALL ON ${name} FROM PUBLIC, ${to}`),
    ...functions.map(({ text }) => `REVOKE ALL ON FUNCTION ${text} FROM PUBLIC, ${to}`),
    `REVOKE ALL ON SCHEMA ${schemas} FROM ${to}`,
    `GRANT USAGE ON SCHEMA ${schemas} TO ${to}`,
    ...readSchemas.map((schema) => `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${to}`),
    ...relations.flatMap(({ name }) => grantsOf(name, to)),
    ...functions
      .filter(({ name }) => functionGrants.includes(name))
      .map(({ text }) => `GRANT EXECUTE ON FUNCTION ${text} TO ${to}`),
  ];
  await tx.execute(sql.raw(statements.join(";\n")));
  await closeDatabase(tx);
}

/** Nobody creates schemas or temporary tables. An owner of the tables who does not own the database cannot say so. */
async function closeDatabase(tx: Queryable): Promise<void> {
  const [row] = await tx.execute(sql`SELECT quote_ident(datname) AS name,
      pg_has_role(current_user, datdba, 'USAGE') AS "isOwner"
    FROM pg_database WHERE datname = current_database()`);
  const { name, isOwner } = v.parse(database, row);
  if (isOwner) await tx.execute(sql.raw(`REVOKE CREATE, TEMPORARY ON DATABASE ${name} FROM PUBLIC`));
}

function grantsOf(name: string, to: string): string[] {
  const privileges = tableGrants[name] ?? [];
  return privileges.length === 0 ? [] : [`GRANT ${privileges.join(", ")} ON ${name} TO ${to}`];
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

function missingRole(role: string): DatabaseRefused {
  return new DatabaseRefused(
    `The role "${role}" of DATABASE_URL does not exist. Create it as the owner of the database, with the password of ` +
      `DATABASE_URL: CREATE ROLE ${quoted(role)} LOGIN PASSWORD '...'. Or leave out MIGRATE_DATABASE_URL. Nothing was changed.`,
  );
}

const found = v.object({ exists: v.boolean() });
const relation = v.object({ name: v.string() });
const signature = v.object({ name: v.string(), text: v.string() });
const database = v.object({ name: v.string(), isOwner: v.boolean() });

/** What an extension made is none of ours. */
const notOfExtension = (table: string, oid: string) =>
  sql.raw(`NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = '${table}'::regclass AND d.objid = ${oid}
    AND d.deptype = 'e')`);

/** Tables and views. */
const ownRelations = sql`SELECT quote_ident(c.relname) AS name FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v')
    AND ${notOfExtension("pg_class", "c.oid")} ORDER BY 1`;

const ownFunctions = sql`SELECT p.proname AS name, p.oid::regprocedure::text AS text FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND ${notOfExtension("pg_proc", "p.oid")} ORDER BY 2`;
