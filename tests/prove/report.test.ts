import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterFile } from "#tests/support/after-file.ts";
import { entryOf, readEntries, reportOf } from "./report.ts";

const folder = mkdtempSync(path.join(tmpdir(), "proof-"));
afterFile(() => rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, "PROOF.md");
const date = "2026-11-28";
const names = ["faults/tls", "machines/machines", "run/backup"];

test("a run of one proof keeps the rows and figures of the others", () => {
  const all = { date, commit: "abc1234", passed: 2, failed: 0, minutes: 1.26 };
  const first = new Map([
    [
      "faults/tls",
      entryOf({ ...all, name: "faults/tls", figures: ["closed 8 ms late", "paid after 1 | 2 s"] }),
    ],
    ["run/backup", entryOf({ ...all, name: "run/backup", figures: ["restored in 3 s"] })],
  ]);
  expect(readEntries(file)).toEqual(new Map());
  writeFileSync(file, reportOf(names, first));
  expect(readEntries(file)).toEqual(first);

  const failed = entryOf({ ...all, name: "run/backup", passed: 1, failed: 1, figures: [] });
  const report = reportOf(names, readEntries(file).set("run/backup", failed));
  expect(report).toContain("| `faults/tls` | passed | 2 | 0 | 1.3 | 2026-11-28 | `abc1234` |");
  expect(report).toContain("| `run/backup` | FAILED | 1 | 1 | 1.3 | 2026-11-28 | `abc1234` |");
  expect(report).toContain("Not run yet: `machines/machines`.");
  expect(report).toContain("### `faults/tls`\n\n- closed 8 ms late\n- paid after 1 | 2 s\n");
  expect(report).not.toContain("restored in 3 s");
});
