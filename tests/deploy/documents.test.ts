import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { readEnv } from "#src/settings/env.ts";
import { blocksRunBy, readBlocks } from "./read-blocks.ts";

const ME = "tests/deploy/documents.test.ts";
const TOP = path.join(import.meta.dir, "../..");
const read = (file: string) => readFileSync(path.join(TOP, file), "utf8");
const documents = [
  "README.md",
  ...readdirSync(path.join(TOP, "deploy"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `deploy/${name}`),
];
const run = (command: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: TOP });
  return { code: exitCode, output: `${stdout.toString()}${stderr.toString()}` };
};

test("every block of commands or settings in the documents is taken from there by a test, or says why not", () => {
  const blocks = documents.flatMap(readBlocks);
  expect(blocks.length).toBeGreaterThan(30);
  for (const { at, runBy, reason } of blocks) {
    expect([at, (runBy === null) !== (reason === null)]).toEqual([at, true]);
    if (runBy === null) continue;
    expect([at, existsSync(path.join(TOP, runBy))]).toEqual([at, true]);
    const [document = ""] = at.split(":");
    expect([at, read(runBy).includes(document) || runBy === ME]).toEqual([at, true]);
  }
});

test("the settings in the documents are accepted as they stand there", () => {
  const blocks = documents.flatMap((document) => blocksRunBy(ME, document));
  expect(blocks.length).toBeGreaterThan(4);
  for (const block of blocks) {
    const pairs = block.split("\n").map((line) => {
      const [name = "", value = ""] = line.split(/=(.*)/);
      return [name, value.replace("...", "secret")];
    });
    const needed = { DATA_DIR: "of-no-test", SECRET_KEY: crypto.randomUUID() };
    expect(() => readEnv({ ...needed, ...Object.fromEntries(pairs) })).not.toThrow();
  }
});

test("called-it says all that it can do, and every command of it in the documents is one", () => {
  const { code, output } = run(["bash", "deploy/called-it"]);
  const said = [...output.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = ""]) => name);
  expect(code).toBe(0);
  const [, cases = ""] = /^case \$command in\n([\s\S]*?)^esac$/m.exec(read("deploy/called-it")) ?? [];
  const known = [...cases.matchAll(/^ {2}([a-z| -]+)\)/gm)].flatMap(([, names = ""]) => names.split(" | "));
  expect(known.filter((name) => !/^(help|-.*)$/.test(name)).toSorted()).toEqual(said.toSorted());
  const used = documents.flatMap((document) =>
    [...read(document).matchAll(/(?:^|`)called-it ([a-z-]+)/gm)].map(([, name = ""]) => name),
  );
  expect(used).toContain("rotate");
  expect(used.filter((name) => !said.includes(name))).toEqual([]);
});

test("the set-up refuses what is no name of a machine before it does anything", () => {
  for (const words of [
    [],
    ["play"],
    ["https://play.example.com"],
    ["Play.example.com"],
    ["a.example", "b"],
  ]) {
    const { code, output } = run(["bash", "deploy/setup.sh", ...words]);
    expect([words, code, output]).toEqual([words, 1, expect.stringMatching(/^Refused: give the name/)]);
  }
});
