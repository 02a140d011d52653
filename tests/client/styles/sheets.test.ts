import { expect, test } from "bun:test";
import { Glob } from "bun";
import { chunkSheets, contrastSheets, sheets } from "#client/build/style-sheets.ts";

test("every style sheet is in the list of the cascade, once", () => {
  const files = [...new Glob("**/*.css").scanSync("client/styles")].map((file) => file.replace(".css", ""));
  const listed: string[] = [
    ...sheets,
    ...Object.values(chunkSheets).flat(),
    ...contrastSheets,
    "breakpoints",
  ];
  expect(listed.toSorted()).toEqual(files.toSorted());
});
