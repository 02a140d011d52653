import { expect, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Glob } from "bun";
import { ownVariables } from "#src/settings/env.ts";

const FILE_LINES_MAX = 250;
const FUNCTION_LINES_MAX = 150;

const files = [...new Glob("db/{sql,migrations}/**/*.sql").scanSync(".")].map((file) => ({
  file,
  text: readFileSync(file, "utf8"),
}));

const byText = (a: string, b: string) => a.localeCompare(b);

/** The object of every CREATE at the beginning of a line. Example: "FUNCTION place_gated_calls". */
function createdIn(text: string): string[] {
  const create =
    /^CREATE (?:OR REPLACE )?(?:UNIQUE |CONSTRAINT |MATERIALIZED )?([A-Z]+) (?:IF NOT EXISTS )?"?(\w+)"?/gm;
  return [...text.matchAll(create)].map(([, kind, name]) => `${kind} ${name}`);
}

test("migrations create tables, indexes and sequences; functions, triggers and views are only in db/sql", () => {
  const kindsIn = (folder: string) => {
    const objects = files
      .filter(({ file }) => file.startsWith(folder))
      .flatMap(({ text }) => createdIn(text));
    return new Set(objects.map((object) => object.split(" ")[0] ?? ""));
  };
  expect([...kindsIn("db/migrations/")].toSorted(byText)).toEqual(["INDEX", "SEQUENCE", "TABLE"]);
  expect([...kindsIn("db/sql/")].toSorted(byText)).toEqual(["FUNCTION", "TRIGGER", "VIEW"]);
});

test("a file of db/sql begins with a comment, and neither it nor a function in it is too long", () => {
  for (const { file, text } of files.filter(({ file: name }) => name.startsWith("db/sql/"))) {
    expect([file, text.startsWith("-- ")]).toEqual([file, true]);
    expect([file, text.split("\n").length <= FILE_LINES_MAX]).toEqual([file, true]);
    for (const [statement] of text.matchAll(/^CREATE FUNCTION [^]*?\$\$[^]*?\$\$;$/gm)) {
      expect([file, statement.split("\n").length <= FUNCTION_LINES_MAX]).toEqual([file, true]);
    }
  }
});

test("there is only the newest snapshot of the schema", () => {
  const snapshots = readdirSync("db/migrations/meta").filter((file) => file.endsWith("_snapshot.json"));
  const newest = readdirSync("db/migrations")
    .filter((file) => file.endsWith(".sql"))
    .toSorted()
    .at(-1);
  const expected = `${newest?.split("_")[0]}_snapshot.json`;
  const cures = snapshots
    .filter((file) => file !== expected)
    .map((file) => `delete db/migrations/meta/${file}: only that of the newest migration is kept`);
  if (!snapshots.includes(expected)) cures.push(`generate db/migrations/meta/${expected} with drizzle-kit`);
  expect(cures).toEqual([]);
});

test("the schema equals the migrations: generating again finds no change", async () => {
  // drizzle-kit accepts only a relative output folder.
  const folder = mkdtempSync(path.join(tmpdir(), "called-it-drift-"));
  cpSync("db/migrations", folder, { recursive: true });
  const before = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted(byText);
  const options = ["--dialect=postgresql", "--casing=snake_case", "--schema=./db/schema"];
  const generate = Bun.spawn(
    [
      process.execPath,
      "node_modules/.bin/drizzle-kit",
      "generate",
      ...options,
      `--out=${path.relative(".", folder)}`,
    ],
    { env: ownVariables(), stdout: "pipe", stderr: "pipe" },
  );
  const [printed] = await Promise.all([new Response(generate.stdout).text(), generate.exited]);
  const after = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted(byText);
  rmSync(folder, { recursive: true });
  expect(printed, "generate a migration as db/README.md says").toContain("No schema changes");
  expect(after).toEqual(before);
});
