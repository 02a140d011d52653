import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const TOP = path.join(import.meta.dir, "../..");
const DOCUMENT = "deploy/asvs.md";

/** The requirements of ASVS 5.0.0 at levels 1 and 2: the last numbers of each section. */
const numbersBySection = `
  1.1: 1 2
  1.2: 1 2 3 4 5 6 7 8 9
  1.3: 1 2 3 4 5 6 7 8 9 10 11
  1.4: 1 2 3
  1.5: 1 2
  2.1: 1 2 3
  2.2: 1 2 3
  2.3: 1 2 3 4
  2.4: 1
  3.2: 1 2
  3.3: 1 2 3 4
  3.4: 1 2 3 4 5 6
  3.5: 1 2 3 4 5
  3.7: 1 2
  4.1: 1 2 3
  4.2: 1
  4.3: 1 2
  4.4: 1 2 3 4
  5.1: 1
  5.2: 1 2 3
  5.3: 1 2
  5.4: 1 2 3
  6.1: 1 2 3
  6.2: 1 2 3 4 5 6 7 8 9 10 11 12
  6.3: 1 2 3 4
  6.4: 1 2 3 4
  6.5: 1 2 3 4 5
  6.6: 1 2 3
  6.8: 1 2 3 4
  7.1: 1 2 3
  7.2: 1 2 3 4
  7.3: 1 2
  7.4: 1 2 3 4 5
  7.5: 1 2
  7.6: 1 2
  8.1: 1 2
  8.2: 1 2 3
  8.3: 1
  8.4: 1
  9.1: 1 2 3
  9.2: 1 2 3 4
  10.1: 1 2
  10.2: 1 2
  10.3: 1 2 3 4
  10.4: 1 2 3 4 5 6 7 8 9 10 11
  10.5: 1 2 3 4 5
  10.6: 1 2
  10.7: 1 2 3
  11.1: 1 2
  11.2: 1 2 3
  11.3: 1 2 3
  11.4: 1 2 3 4
  11.5: 1
  11.6: 1
  12.1: 1 2 3
  12.2: 1 2
  12.3: 1 2 3 4
  13.1: 1
  13.2: 1 2 3 4 5
  13.3: 1 2
  13.4: 1 2 3 4 5
  14.1: 1 2
  14.2: 1 2 3 4
  14.3: 1 2 3
  15.1: 1 2 3
  15.2: 1 2 3
  15.3: 1 2 3 4 5 6 7
  16.1: 1
  16.2: 1 2 3 4 5
  16.3: 1 2 3 4
  16.4: 1 2 3
  16.5: 1 2 3
  17.1: 1
  17.2: 1 2 3 4
  17.3: 1 2
`;
const requirements = numbersBySection
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [section = "", numbers = ""] = line.split(":");
    return numbers
      .trim()
      .split(" ")
      .map((number) => `${section.trim()}.${number}`);
  });

const rows = readFileSync(path.join(TOP, DOCUMENT), "utf8")
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [ids = "", , state = "", how = "", by = ""] = line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
    return { ids: ids.split(", "), state, how, by };
  });
/** The files that a cell names. */
const filesIn = (cell: string) =>
  [...cell.matchAll(/`([^`]+)`/g)]
    .map(([, name = ""]) => name)
    .filter((name) => /^[\w@./-]+\/[\w@./-]+$|^\w+\.(md|yaml)$|^Dockerfile$/.test(name));

test("every requirement of levels 1 and 2 is in the table once, and nothing else", () => {
  const listed = rows.flatMap(({ ids }) => ids);
  expect(requirements).toHaveLength(253);
  expect([...listed].sort()).toEqual([...requirements].sort());
});

test("every file that the table names is there", () => {
  const named = rows.flatMap(({ how, by }) => [...filesIn(how), ...filesIn(by)]);
  expect(named.length).toBeGreaterThan(300);
  expect(named.filter((name) => !existsSync(path.join(TOP, name)))).toEqual([]);
});

test("what is met names its test, and what is not says why", () => {
  for (const { ids, state, how, by } of rows) {
    const tests = filesIn(by).filter((name) => name.startsWith("tests/"));
    const isSaid = {
      met: tests.length > 0,
      partly: how !== "" && tests.length > 0,
      open: how !== "",
      "n/a": how !== "",
    };
    expect([
      ids,
      state in isSaid && Object.entries(isSaid).some(([name, said]) => name === state && said),
    ]).toEqual([ids, true]);
  }
});
