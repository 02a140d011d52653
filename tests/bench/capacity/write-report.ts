import path from "node:path";
import { markdownTable } from "../report.ts";
import type { Table } from "../table.ts";

/** The document. What people wrote in it stays; a command replaces what is between its own marks. */
export const DOCUMENT = path.join(import.meta.dir, "../CAPACITY.md");

/** Replaces the part of the document with this name by these tables. @param head lines before the tables. */
export async function writePart(
  name: "figures" | "keys",
  head: readonly string[],
  tables: readonly Table[],
): Promise<void> {
  const [begin, end] = [`<!-- ${name}: written by bun run capacity -->`, `<!-- end of ${name} -->`];
  const text = await Bun.file(DOCUMENT).text();
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${DOCUMENT} has no part "${name}"`);
  const lines = tables.flatMap(({ title, rows, notes }) => [
    `**${title}**`,
    "",
    ...markdownTable(rows),
    "",
    ...notes.flatMap((note) => [note, ""]),
  ]);
  const part = [begin, "", ...head, "", ...lines].join("\n");
  await Bun.write(DOCUMENT, `${text.slice(0, from)}${part}${text.slice(to)}`);
}
