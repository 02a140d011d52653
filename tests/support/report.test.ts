import { expect, test } from "bun:test";
import { Report } from "./run-bun-test.ts";

/** Takes the output of `bun test`. @returns the sum, and what was shown. */
function read(output: string, code: number | null) {
  let shown = "";
  const report = new Report((text) => {
    shown += text;
  });
  for (const line of output.split("\n")) report.take(line);
  return { ...report.count(code), shown };
}

const green = `bun test v1.4.5

tests/a.test.ts:
12:00:01 web WARN a server says something
(pass) the first [1.20ms]
(pass) the second [with brackets] [2.00ms]
`;
const red = `
tests/b.test.tsx:
error: expect(received).toBe(expected)
(fail) the third [in brackets] [0.20ms]
(skip) the fourth
`;
const end = `
1 tests failed:
(fail) the third [in brackets] [0.20ms]

 2 pass
 1 fail
Ran 3 tests across 2 files. [1.00s]
`;

test("what green tests print is left out, and a run without a failure has none", () => {
  expect(read(`${green}\n 2 pass\n 0 fail\n`, 0)).toEqual({ passed: 2, failed: 0, failures: [], shown: "" });
});

test("a failed test is named with its file, and what that file has printed is shown", () => {
  const { shown, ...count } = read(`${green}${red}${end}`, 1);
  expect(count).toEqual({ passed: 2, failed: 1, failures: ["tests/b.test.tsx: the third [in brackets]"] });
  expect(shown).toContain("tests/b.test.tsx\n");
  expect(shown).toContain("error: expect(received).toBe(expected)");
  expect(shown).not.toContain("a server says something");
  expect(shown).not.toContain("Ran 3 tests");
});

test("an error outside all tests, and a run that ends early, are failures", () => {
  const outside = "\ntests/c.test.ts:\n\n# Unhandled error between tests\nerror: x\n";
  expect(read(`${green}${outside}\n 2 pass\n 0 fail\n 1 error\n`, 1).failures).toEqual([
    "tests/c.test.ts: an error outside its tests",
  ]);
  expect(read(green, 137)).toMatchObject({ failed: 1, failures: ["bun test ended with 137"] });
  expect(read(green, null)).toMatchObject({ failed: 1 });
});
