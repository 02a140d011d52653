import { expect, test } from "bun:test";
import { filesToLint, type Linted, stateOf } from "./choose-files.ts";

const SETTINGS = ["the rules", "the packages"];
const project = {
  "db/lists.ts": "export type State = 'open';",
  "src/verb.ts": `import type { State } from "#db/lists.ts";\nexport const act = (state: State) => state;`,
  "src/routes.ts": `import { act } from "./verb.ts";\nexport const route = act("open");`,
  "client/screen.tsx": `const late = () => import("../src/routes.ts");\nexport const Screen = () => <b onClick={late} />;`,
  "client/alone.ts": "export const alone = 1;",
  "client/window.ts": "declare global { interface Window { shown: string } }",
};
const stateWith = (changes: Record<string, string | null>, settings = SETTINGS): Linted => {
  const texts = new Map(Object.entries(project));
  for (const [file, text] of Object.entries(changes))
    if (text === null) texts.delete(file);
    else texts.set(file, text);
  return stateOf(texts, settings);
};
const clean = stateWith({});
const all = Object.keys(project);
const chosenFor = (changes: Record<string, string | null>) =>
  filesToLint(clean, stateWith(changes)).toSorted();

test("a lint that nothing has changed since is not done again", () => {
  expect(chosenFor({})).toEqual([]);
});

test("what has changed is linted with all that imports it, also a type, by others, or late", () => {
  expect(chosenFor({ "client/alone.ts": "export const alone = 2;" })).toEqual(["client/alone.ts"]);
  expect(chosenFor({ "src/routes.ts": "export const route = 7;" })).toEqual([
    "client/screen.tsx",
    "src/routes.ts",
  ]);
  expect(chosenFor({ "db/lists.ts": "export type State = 'shut';" })).toEqual([
    "client/screen.tsx",
    "db/lists.ts",
    "src/routes.ts",
    "src/verb.ts",
  ]);
});

test("a file that is gone concerns all that import it, and a new one itself", () => {
  expect(chosenFor({ "src/verb.ts": null })).toEqual(["client/screen.tsx", "src/routes.ts"]);
  expect(chosenFor({ "src/new.ts": "export const fresh = 1;" })).toEqual(["src/new.ts"]);
});

test("without a clean lint, with other settings or packages, or with another global, all are linted", () => {
  expect(filesToLint(null, clean)).toEqual(all);
  expect(filesToLint(clean, stateWith({}, ["the rules", "other packages"]))).toEqual(all);
  const shown = "declare global { interface Window { shown: number } }";
  expect(chosenFor({ "client/window.ts": shown })).toEqual(all.toSorted());
  expect(chosenFor({ "client/window.ts": null })).not.toContain("client/window.ts");
  expect(chosenFor({ "client/window.ts": null })).toHaveLength(all.length - 1);
});
