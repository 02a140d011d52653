import type { StoredTable } from "./contents.ts";

/** The table and its columns, as COPY takes them: `public."calls" ("id", "state")`. */
export function copyColumns({ name, columns }: StoredTable): string {
  return `public.${quoted(name)} (${columns.map(quoted).join(", ")})`;
}

/** A name in SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
