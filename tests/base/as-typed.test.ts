import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import path from "node:path";
import { asTyped } from "#src/base/as-typed.ts";
import { makeFileFolder } from "#tests/support/after-file.ts";

const folder = makeFileFolder();
const cure = "Run `bun run migrate`.";

test("a cure names the command of a machine that was set up, if that is linked to this program", () => {
  const [own, other] = [path.join(folder, "called-it"), path.join(folder, "other")];
  symlinkSync(path.resolve("deploy/called-it"), own);
  symlinkSync(path.resolve("deploy/setup.sh"), other);
  expect([own, other, path.join(folder, "none")].map((link) => asTyped(cure, link))).toEqual([
    "Run `called-it migrate`.",
    cure,
    cure,
  ]);
});

test("no text of the client says how a command is typed, which only the machine of the server knows", async () => {
  const typed: string[] = [];
  for await (const file of new Bun.Glob("client/**/*.{ts,tsx}").scan("."))
    for (const line of (await Bun.file(file).text()).split("\n"))
      if (!/^\s*(\/?\*|\/\/)/.test(line) && /\b(bun run|called-it) [a-z]/.test(line))
        typed.push(`${file}: ${line}`);
  expect(typed).toEqual([]);
});
