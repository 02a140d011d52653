import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";

const TOP = path.join(import.meta.dir, "../..");
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
