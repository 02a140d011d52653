import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import { callStatements } from "./call-statements.ts";
import { errorStatements } from "./error-statements.ts";

const statements = { ...callStatements, ...errorStatements };

test.each(Object.entries(statements))("the test of statement %s exists", (_, statement) => {
  if ("endpoint" in statement) {
    const named = allEndpoints.filter(({ name }) => name === statement.endpoint);
    expect(named.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)).toEqual([statement.says]);
    return;
  }
  const [file, title] = statement.test;
  expect([file, existsSync(file)]).toEqual([file, true]);
  expect([file, title, readFileSync(file, "utf8").includes(`"${title}"`)]).toEqual([file, title, true]);
});

test("every statement of the specification is in the table", () => {
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => ((from + index) / 100).toFixed(2));
  const all = [
    "7.00",
    "7.001",
    "7.002",
    "7.003",
    "7.004",
    ...numbers(701, 758),
    ...numbers(760, 779),
    ...numbers(801, 819),
  ];
  expect(Object.keys(statements).toSorted()).toEqual(all.toSorted());
});
