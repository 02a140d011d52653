import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import { callStatements } from "./call-statements.ts";
import { constantStatements } from "./constant-statements.ts";
import { entityStatements } from "./entity-statements.ts";
import { errorStatements } from "./error-statements.ts";
import { productStatements } from "./product-statements.ts";
import { roleStatements } from "./role-statements.ts";
import { screenStatements } from "./screen-statements.ts";
import { stateStatements } from "./state-statements.ts";
import type { NamedTest } from "./statements.ts";
import { validationStatements } from "./validation-statements.ts";

/** The tables by chapter of the specification. */
const chapters = {
  "1.": productStatements,
  "2.": screenStatements,
  "3.": entityStatements,
  "4.": stateStatements,
  "5.": validationStatements,
  "6.": roleStatements,
  "7.": callStatements,
  "8.": errorStatements,
  "9.": constantStatements,
};
const statements = Object.values(chapters).flatMap((chapter) => Object.entries(chapter));

function expectTest([file, title]: NamedTest): void {
  expect(file).toMatch(/\.(test|spec)\.tsx?$/);
  expect([file, existsSync(file)]).toEqual([file, true]);
  expect([file, title, readFileSync(file, "utf8").includes(`"${title}"`)]).toEqual([file, title, true]);
}

test.each(statements)("the test of statement %s exists", (_, statement) => {
  if ("endpoint" in statement) {
    const named = allEndpoints.filter(({ name }) => name === statement.endpoint);
    expect(named.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)).toEqual([statement.says]);
    return;
  }
  expectTest(statement.test);
  if (statement.also !== undefined) expectTest(statement.also);
});

test("every statement of the specification is in the table of its chapter, and there are 371", () => {
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => ((from + index) / 100).toFixed(2));
  const all = [
    ...numbers(101, 127),
    ...numbers(201, 284),
    ...numbers(301, 326),
    ...numbers(328, 357),
    ...numbers(359, 364),
    ...numbers(401, 447),
    ...numbers(501, 526),
    ...numbers(601, 608),
    "7.00",
    "7.001",
    "7.002",
    "7.003",
    "7.004",
    ...numbers(701, 758),
    ...numbers(760, 779),
    ...numbers(801, 819),
    ...numbers(901, 915),
  ];
  expect(all).toHaveLength(371);
  expect(statements.map(([number]) => number).toSorted()).toEqual(all.toSorted());
  for (const [chapter, table] of Object.entries(chapters)) {
    expect(Object.keys(table).filter((number) => !number.startsWith(chapter))).toEqual([]);
  }
});
