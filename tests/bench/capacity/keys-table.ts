import type { Table } from "../table.ts";
import type { BrokenKey, Key } from "./check-keys.ts";
import { distribution } from "./distribution.ts";

type Found = {
  keys: readonly Key[];
  tables: readonly string[];
  broken: readonly BrokenKey[];
  missing: readonly string[];
};

/** What was found, as tables. */
export function keysTables({ keys, tables, broken, missing }: Found): Table[] {
  const whereOf = (table: string) => {
    const placement = distribution.get(table);
    return typeof placement === "object" ? `by ${placement.by}` : (placement ?? "not decided");
  };
  const count = (kind: Key["kind"]) => {
    const [all, without] = [keys, broken].map((list) => list.filter((key) => key.kind === kind).length);
    return [kind, String(all), String(without)];
  };
  return [
    {
      title: `Where each of the ${tables.length} tables would be`,
      rows: [
        ["where", "tables"],
        ...[...Map.groupBy(tables, whereOf)].map(([where, names]) => [where, names.join(", ")]),
      ],
      notes: [`Columns that these tables lack: ${missing.join(", ") || "none"}.`],
    },
    {
      title: "Keys that such a distribution could not hold",
      rows: [["kind", "keys", "of them broken"], count("primary"), count("unique"), count("foreign")],
      notes: [],
    },
    {
      title: "Each of them",
      rows: [
        ["table", "kind", "columns", "why"],
        ...broken.map(({ table, kind, columns, references, why }) => [
          table,
          kind,
          references === null
            ? columns.join(", ")
            : `${columns.join(", ")} -> ${references.table} (${references.columns.join(", ")})`,
          why,
        ]),
      ],
      notes: [],
    },
  ];
}
