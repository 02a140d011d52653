import { expect, test } from "bun:test";
import { readdirSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { readEnv } from "#src/settings/env.ts";
import { blocksRunBy } from "./read-blocks.ts";

const ME = "tests/deploy/documents.test.ts";
const TOP = path.join(import.meta.dir, "../..");
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

test("the set-up refuses what is no name of a machine before it does anything", () => {
  for (const words of [
    [],
    ["play"],
    ["https://play.example.com"],
    ["Play.example.com"],
    ["a.example", "b"],
    ["a.example", "--tls"],
    ["a.example", "--tls", "ana"],
  ]) {
    const { code, output } = run(["bash", "deploy/setup.sh", ...words]);
    expect([words, code, output]).toEqual([words, 1, expect.stringMatching(/^Refused: give the name/)]);
  }
});

const DOCUMENT = "deploy/asvs.md";

const rows = readFileSync(path.join(TOP, DOCUMENT), "utf8")
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split("|").slice(4).join("|"));
/** The files that a cell names. */
const filesIn = (cell: string) =>
  [...cell.matchAll(/`([^`]+)`/g)]
    .map(([, name = ""]) => name)
    .filter((name) => /^[\w@./-]+\/[\w@./-]+$|^\w+\.(md|yaml)$|^Dockerfile$/.test(name));

test("every file that the table names is there", () => {
  const named = rows.flatMap(filesIn);
  expect(named.length).toBeGreaterThan(300);
  expect(named.filter((name) => !existsSync(path.join(TOP, name)))).toEqual([]);
});

const read = (file: string) => readFileSync(path.join(TOP, file), "utf8");

test("the Dockerfile copies what there is, runs what package.json runs, with the same Bun, and not as root", () => {
  const lines = read("Dockerfile").replaceAll("\\\n", " ").split("\n");
  const of = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const copied = of("COPY").filter((line) => !line.startsWith("--from"));
  const ignored = read(".dockerignore").split("\n");
  for (const file of copied.flatMap((line) => line.split(" ").slice(0, -1))) {
    expect([file, existsSync(path.join(TOP, file))]).toEqual([file, true]);
    expect(ignored).toContain(`!${file}`);
  }
  const { scripts, engines } = v.parse(
    v.object({ scripts: v.record(v.string(), v.string()), engines: v.object({ bun: v.string() }) }),
    JSON.parse(read("package.json")),
  );
  // Its variables are among those of the image: see compose.test.ts.
  const web = scripts["web"]?.split(" ").filter((word) => !/^[A-Z_]+=/.test(word));
  expect(of("CMD").at(-1)).toBe(JSON.stringify(web).replaceAll(",", ", "));
  expect(of("RUN").some((line) => line === scripts["build"])).toBe(true);
  const bun = engines.bun.replace(">=", "");
  for (const image of of("FROM").filter((line) => line.includes("/")))
    expect(image).toContain(`oven/bun:${bun}-`);
  expect(of("USER")).toEqual(["bun"]);
});
