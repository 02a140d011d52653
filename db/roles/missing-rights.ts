import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryColumn, queryValue } from "../ledger/query.ts";
import { readWhenChanged } from "../read-when-changed.ts";
import { functionGrants, readSchemas, tableGrants } from "./grants.ts";

/** A right as GRANT writes it: "UPDATE (name) ON users". */
type Right = {
  right: string;
  kind: "table" | "column" | "function" | "schema";
  on: string;
  privilege: string;
  column: string;
};

/** The rights that the application's role needs, one by one: those that `bun run migrate` gives. */
function neededRights(): Right[] {
  const tables = Object.entries(tableGrants).flatMap(([on, privileges]) =>
    privileges.flatMap((privilege) => rightsOn(on, privilege)),
  );
  const functions = functionGrants.map((on) => rightOf("function", on, "EXECUTE", `FUNCTION ${on}`));
  const schemas = ["public", ...readSchemas].map((on) => rightOf("schema", on, "USAGE", `SCHEMA ${on}`));
  return [...schemas, ...tables, ...functions];
}

function rightsOn(on: string, privilege: string): Right[] {
  const columns = /^UPDATE \(([^)]*)\)$/.exec(privilege)?.[1];
  if (columns === undefined) return [rightOf("table", on, privilege, on)];
  return columns.split(",").map((name) => {
    const column = name.trim();
    const right = `UPDATE (${column}) ON ${on}`;
    return { right, kind: "column" as const, on, privilege: "UPDATE", column };
  });
}

const rightOf = (kind: Right["kind"], on: string, privilege: string, target: string): Right => ({
  right: `${privilege} ON ${target}`,
  kind,
  on,
  privilege,
  column: "",
});

const needed = neededRights();
const [schemas, others] = [true, false].map((isSchema) =>
  JSON.stringify(needed.filter(({ kind }) => (kind === "schema") === isSchema)),
);

async function missingRights(db: Queryable): Promise<string[]> {
  // Nothing can be asked about what is in a schema that may not be used.
  const closed = await missingOf(db, schemas);
  return closed.length > 0 ? closed : missingOf(db, others);
}

function missingOf(db: Queryable, rights = "[]"): Promise<string[]> {
  return queryColumn(db, v.string())`
    SELECT n."right" FROM jsonb_to_recordset(${rights}::text::jsonb)
      AS n("right" text, kind text, "on" text, privilege text, "column" text)
    WHERE NOT coalesce(CASE n.kind
      WHEN 'schema' THEN has_schema_privilege(to_regnamespace(n."on"), n.privilege)
      WHEN 'function' THEN (SELECT bool_and(has_function_privilege(p.oid, n.privilege)) FROM pg_proc p
        WHERE p.proname = n."on" AND p.pronamespace = 'public'::regnamespace)
      WHEN 'column' THEN has_column_privilege(to_regclass('public.' || n."on"), n."column", n.privilege)
      ELSE has_table_privilege(to_regclass('public.' || n."on"), n.privilege) END, false)`;
}

/** The catalog's rows that GRANT and REVOKE change, by the transactions that have written them. */
const writtenBy = (table: string, condition: string) =>
  sql.raw(
    `(SELECT count(*) || ':' || coalesce(sum(xmin::text::bigint), 0) FROM ${table} WHERE ${condition})`,
  );
/** Objects of databases have numbers from here on. */
const OWN = "oid >= 16384";
const aclMark = sql`SELECT concat_ws(' ', current_user, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
  ${writtenBy("pg_class", OWN)}, ${writtenBy("pg_proc", OWN)}, ${writtenBy("pg_attribute", "attacl IS NOT NULL")},
  ${writtenBy("pg_namespace", "true")}, ${writtenBy("pg_auth_members", "true")}) AS mark`;

/**
 * The rights that the role of this connection needs and does not have; a table or function that is not there counts as one. Each right is
 * tried once, and again after one was given or taken.
 */
export const followMissingRights = readWhenChanged(aclMark, missingRights);

/** True if the role of this connection can do what the owner of the tables can. */
export function ownsTables(db: Queryable): Promise<boolean> {
  return queryValue(db, v.boolean())`SELECT r.rolsuper OR coalesce((
    SELECT pg_has_role(r.oid, c.relowner, 'MEMBER') FROM pg_class c WHERE c.oid = to_regclass('public.journal')
  ), false) FROM pg_roles r WHERE r.rolname = current_user`;
}

/** True if the server ends a statement of this connection that runs for too long. */
export function hasStatementTimeout(db: Queryable): Promise<boolean> {
  return queryValue(db, v.boolean())`SELECT current_setting('statement_timeout') <> '0'`;
}
