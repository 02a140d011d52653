import { expect, test } from "bun:test";
import { type BenchRun, reportOf } from "./report.ts";
import { atLeast, atMost } from "./table.ts";

const run: BenchRun = {
  bench: "api",
  stealShare: 0.031,
  tables: [
    {
      title: "calls placed per second",
      rows: [
        ["clients", "ratio"],
        ["1", "0.70 x"],
      ],
      goals: [
        atLeast(0.65, { what: "1 client", measured: 0.7, unit: "x" }),
        atMost(25, { what: "p99", measured: 31, unit: "ms" }),
      ],
      notes: ["One process."],
    },
  ],
};

test("the report has each goal beside the figure before", () => {
  const lines = reportOf([run], { commit: "abc1234", before: { "api: 1 client": 0.31 } }).split("\n");
  expect(lines).toContain("- 1 of 2 goals are met.");
  expect(lines).toContain("| api | 1 client | at least 0.65 x | 0.31 x | 0.70 x | yes |");
  expect(lines).toContain("| api | p99 | at most 25 ms | - | 31 ms | **no** |");
  expect(lines).toContain("3 % of the CPU time was taken by the machine's host.");
  expect(lines).toContain("| 1 | 0.70 x |");
});

test("a figure that could not be measured meets no goal", () => {
  const unknown = atMost(25, { what: "p99", measured: Number.NaN, unit: "ms" });
  const lines = reportOf([{ ...run, tables: [{ title: "", rows: [[""]], goals: [unknown], notes: [] }] }], {
    commit: "abc1234",
    before: {},
  }).split("\n");
  expect(lines).toContain("- 0 of 1 goals are met.");
});
