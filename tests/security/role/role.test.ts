import { expect, test } from "bun:test";
import { functionGrants } from "#db/roles/grants.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { withIds } from "./attack.ts";
import { moneyAttacks } from "./attacks-on-money.ts";
import { peopleAttacks } from "./attacks-on-people.ts";
import { showAttacks } from "./attacks-on-shows.ts";
import { traceAttacks } from "./attacks-on-traces.ts";
import { attempt, findDifferences } from "./attempt.ts";
import {
  countRows,
  deletesOf,
  type GeneratedAttack,
  insertsOf,
  listColumns,
  rows,
  updatesOf,
} from "./generated-attacks.ts";
import { freeColumns, freeDeletes, freeFunctions, freeInserts } from "./unnoticed.ts";
import { buildWorld } from "./world.ts";

// Single changes of any column, deletions and copies are generated; the named attacks are what takes more than that.
// What the application's own role can do with money, results, the clock, evidence, roles and passwords is refused to it, or found by
// `bun run reconcile`. What may go unnoticed is in unnoticed.ts with its reason. role.proof.ts tries all rows and values.

const { owner, application, ids } = await buildWorld();
const before = await digestTables(owner.db);
const columns = await listColumns(owner);
const named = { ...moneyAttacks, ...showAttacks, ...traceAttacks, ...peopleAttacks };

test("before the attacks the books agree, and every table has a row to attack", async () => {
  expect(await findDifferences(application.db)).toEqual([]);
  const empty = [...(await countRows(owner))].filter(([, rows]) => rows === 0).map(([table]) => table);
  expect(empty).toEqual([]);
});

test.each(Object.entries(named))("an attack is refused or found: %s", async (_, { statements, foundBy }) => {
  const sent = statements.map((statement) => withIds(statement, ids));
  const result = await attempt(application, sent);
  if (foundBy === undefined) expect(result).toMatchObject({ outcome: "refused" });
  else expect(result).toMatchObject({ outcome: "found", by: expect.arrayContaining([foundBy]) });
});

test("every function that the application may call is attacked, or its harmlessness explained", () => {
  const attacked = Object.values(named)
    .flatMap(({ statements }) => statements)
    .join("\n");
  const missing = functionGrants.filter(
    (name) => freeFunctions[name] === undefined && !attacked.includes(`${name}(`),
  );
  expect(missing).toEqual([]);
  expect(Object.keys(freeFunctions).filter((name) => !functionGrants.includes(name))).toEqual([]);
});

/** The attacks that are neither refused nor found, though no reason explains them. */
async function unexplained(
  attacks: readonly GeneratedAttack[],
  isFree: (attack: GeneratedAttack) => boolean,
) {
  const unnoticed: string[] = [];
  for (const attack of attacks.filter((each) => !isFree(each))) {
    const { outcome } = await attempt(application, [attack.statement]);
    if (outcome === "unnoticed") unnoticed.push(`${attack.table} ${attack.column}: ${attack.statement}`);
  }
  return unnoticed;
}

/** One row of each table, or as many as the proof tries. */
const places = Array.from({ length: rows.tried }, (_, place) => place);
const inAllRows = (attacksOf: typeof updatesOf) => places.flatMap((place) => attacksOf(columns, place));

test("a change of any column of each table is refused or found", async () => {
  const updates = inAllRows(updatesOf);
  expect(
    await unexplained(updates, ({ table, column }) => freeColumns[table]?.[column] !== undefined),
  ).toEqual([]);
});

test("a deletion from each table is refused or found", async () => {
  expect(await unexplained(inAllRows(deletesOf), ({ table }) => freeDeletes[table] !== undefined)).toEqual(
    [],
  );
});

test("a row like another one of each table is refused or found", async () => {
  expect(await unexplained(inAllRows(insertsOf), ({ table }) => freeInserts[table] !== undefined)).toEqual(
    [],
  );
});

test("what may go unnoticed is still possible: a list that names too much is found", async () => {
  const taken = new Set<string>();
  for (const index of [0, 1, 2, 3]) {
    for (const { table, column, statement } of updatesOf(columns, index)) {
      const name = `${table} ${column}`;
      if (freeColumns[table]?.[column] === undefined || taken.has(name)) continue;
      const { outcome } = await attempt(application, [statement], { isFree: true });
      if (outcome === "unnoticed") taken.add(name);
    }
  }
  const listed = Object.entries(freeColumns).flatMap(([table, names]) =>
    Object.keys(names).map((name) => `${table} ${name}`),
  );
  expect(listed.filter((name) => !taken.has(name))).toEqual([]);
});

test("nothing of all that has stayed", async () => {
  expect(await digestTables(owner.db)).toBe(before);
});
