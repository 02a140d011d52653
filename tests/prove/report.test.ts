import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { requireProgram } from "#tests/engines/require-program.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { findVoids } from "./find-void.ts";
import { readResults, reportOf, type Result } from "./report.ts";

const folder = mkdtempSync(path.join(tmpdir(), "proof-"));
afterFile(() => rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, "PROOF.md");
const names = ["faults/tls", "machines/machines", "run/backup"];
const result: Result = {
  name: "faults/tls",
  date: "2026-11-28",
  commit: "abc1234",
  passed: 2,
  failed: 0,
  minutes: 1.3,
  figures: ["closed 8 ms late", "paid after 1 | 2 s"],
};
const holds = () => null;

test("a run of one proof keeps the rows and figures of the others", () => {
  const backup = { ...result, name: "run/backup", figures: ["restored in 3 s"] };
  const first = new Map([result, backup].map((each) => [each.name, each]));
  expect(readResults(file)).toEqual(new Map());
  writeFileSync(file, reportOf(names, first, holds));
  expect(readResults(file)).toEqual(first);

  const failed = { ...backup, passed: 1, failed: 1, figures: [] };
  const report = reportOf(names, readResults(file).set(failed.name, failed), holds);
  expect(report).toContain("| `faults/tls` | passed | 2 | 0 | 1.3 | 2026-11-28 | `abc1234` |");
  expect(report).toContain("| `run/backup` | FAILED | 1 | 1 | 1.3 | 2026-11-28 | `abc1234` |");
  expect(report).toContain("Not run yet: `machines/machines`.");
  expect(report).toContain("### `faults/tls`\n\n- closed 8 ms late\n- paid after 1 | 2 s\n");
  expect(report).not.toContain("restored in 3 s");
});

test("a row that is void says why, and holds again when the reason is gone", () => {
  const report = reportOf(names, new Map([[result.name, result]]), () => "`db/client.ts` has changed");
  expect(report).toContain("| `faults/tls` | void, was passed: `db/client.ts` has changed | 2 | 0 |");
  writeFileSync(file, report);
  expect(reportOf(names, readResults(file), holds)).toContain("| `faults/tls` | passed | 2 | 0 |");
});

test("a result is void if its commit is not in the history, was changed, or if a file that the proof imports has changed", async () => {
  const top = mkdtempSync(path.join(folder, "checkout-"));
  const git = (...words: string[]) => {
    const settings = ["-c", "user.name=test", "-c", "user.email=test@example.test"];
    const ran = Bun.spawnSync([requireProgram("git"), ...settings, ...words], { cwd: top });
    expect([words, ran.exitCode]).toEqual([words, 0]);
    return ran.stdout.toString().trim();
  };
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(top, name)), { recursive: true });
    writeFileSync(path.join(top, name), text);
  };
  const commit = () => {
    git("add", "--all");
    git("commit", "--quiet", "--message", "A change");
    return git("rev-parse", "--short", "HEAD");
  };
  const proof = "tests/a.proof.ts";
  git("init", "--quiet");
  write(proof, `import { help } from "./help.ts";\nhelp();\n`);
  write("tests/help.ts", `import { verb } from "#src/verb.ts";\nexport const help = verb;\n`);
  write("src/verb.ts", `import "./other.ts";\nexport const verb = () => 1;\n`);
  write("src/other.ts", "export {};\n");
  const first = commit();
  const reason = async (at: string) =>
    (await findVoids(top, [{ name: "a", file: proof, commit: at }]))("a", at);
  expect(await reason(first)).toBeNull();
  expect(await reason(`${first}+`)).toContain("not committed");
  expect(await reason("0123abc")).toContain("not in this history");

  // What an imported file of the product imports itself does not count.
  write("src/other.ts", "export const other = 1;\n");
  write("tests/unrelated.test.ts", "export {};\n");
  commit();
  expect(await reason(first)).toBeNull();
  write("src/verb.ts", "export const verb = () => 2;\n");
  expect(await reason(first)).toBe("`src/verb.ts` has changed");
  write("tests/help.ts", `import { verb } from "#src/verb.ts";\nexport const help = () => verb();\n`);
  const second = commit();
  expect(await reason(first)).toBe("`src/verb.ts` and 1 more have changed");
  expect(await reason(second)).toBeNull();
  git("checkout", "--quiet", first);
  expect(await reason(second)).toContain("not in this history");
});
