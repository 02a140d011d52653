import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Glob } from "bun";
import { pageStyles } from "#client/build/bundle-styles.ts";
import { contrastSheets, needsFewPages, sheets } from "#client/build/style-sheets.ts";
import { readSource } from "#tests/support/read-source.ts";

/** What the Action page shows only after a tap. */
const later = ["client/screens/action/help-dialog.tsx", "client/app/frame/menu.tsx"];
const CLASS_NAMES = /className=(?:"([^"]*)"|\{([^}]*)\})/g;

/** The names of the classes in style sheets. */
function classesIn(css: string): Set<string> {
  const withoutTexts = css.replaceAll(/url\([^)]*\)|"[^"]*"/g, "");
  return new Set([...withoutTexts.matchAll(/\.([a-z][\w-]*)/g)].map((match) => match[1] ?? ""));
}

/** The words in the class names of components, whatever they depend on. */
function classWordsOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(CLASS_NAMES)].flatMap((match) =>
    (match[1] ?? match[2] ?? "").split(/[^\w-]+/),
  );
}

test("the Action page has the styles of all that its first screen may show, in every state of the card", () => {
  const { critical, rest } = pageStyles("client/app/entry.tsx");
  const atOnce = classesIn(critical);
  const missing = classesIn(rest).difference(atOnce);
  expect(missing).toContain("bottom-sheet");
  const files = ["client/events", "client/card", "client/screens/action", "client/app/frame"]
    .flatMap((folder) => [...new Glob(`${folder}/*.tsx`).scanSync(".")])
    .filter((file) => !later.includes(file));
  expect(files.length).toBeGreaterThan(15);
  for (const file of files)
    expect([file, classWordsOf(file).filter((word) => missing.has(word))]).toEqual([file, []]);
});

/** The files whose code is in these modules or in what they import, without the modules whose pages have all styles. */
function filesOfOtherPages(modules: readonly string[]): Set<string> {
  const files = new Set<string>();
  const add = (file: string) => {
    if (files.has(file) || !file.startsWith("client/") || needsFewPages(file)) return;
    files.add(file);
    for (const { to, typesOnly } of readSource(file, readFileSync(file, "utf8")).imports)
      if (!typesOnly) add(to);
  };
  for (const module of modules) add(module);
  return files;
}

test("no other page uses the classes of the sheets of few pages", () => {
  const { critical, rest, later } = pageStyles("client/app/entry.tsx");
  const few = classesIn(later ?? "").difference(classesIn(critical + rest));
  expect(few).toContain("big-screen");
  const files = filesOfOtherPages([
    "client/app/entry.tsx",
    "client/app/screens.ts",
    "client/app/account-screens.ts",
    "client/app/sign-in-screens.ts",
  ]);
  expect(files.size).toBeGreaterThan(100);
  for (const file of files)
    expect([file, classWordsOf(file).filter((word) => few.has(word))]).toEqual([file, []]);
});

test("every style sheet is in the list of the cascade, once", () => {
  const files = [...new Glob("**/*.css").scanSync("client/styles")].map((file) => file.replace(".css", ""));
  const listed: string[] = [...sheets, ...contrastSheets];
  expect(listed.toSorted()).toEqual(files.toSorted());
});
