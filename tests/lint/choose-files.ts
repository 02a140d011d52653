import path from "node:path";
import * as v from "valibot";

export const linted = v.object({
  /** What the lint of every file depends on: a hash of the settings, the packages and the files that declare globals. */
  settings: v.string(),
  /** By path: a hash of the file's text, and the files that it names. */
  files: v.record(v.string(), v.object({ hash: v.string(), names: v.array(v.string()) })),
});
/** The state of all files at a lint. */
export type Linted = v.InferOutput<typeof linted>;

/** What a file names in quotation marks by a path or an alias: all its imports, those of types too, and now and then more. */
const NAMED = /["'`]((?:\.{1,2}\/|#)[^"'`\n]+)["'`]/g;
const DECLARES_GLOBALS = /\bdeclare (?:global|module)\b/;

/**
 * The state of files.
 * @param texts the text of each file, by its path from the top of the project.
 * @param settings the texts on which the lint of every file depends.
 */
export function stateOf(texts: ReadonlyMap<string, string>, settings: readonly string[]): Linted {
  const globals = [...texts].filter(([file, text]) => file.endsWith(".d.ts") || DECLARES_GLOBALS.test(text));
  const files: Linted["files"] = {};
  for (const [file, text] of texts) {
    const names = [...text.matchAll(NAMED)].map(([, name = ""]) => resolve(file, name));
    files[file] = { hash: hashOf(text), names: [...new Set(names)] };
  }
  return { settings: hashOf(JSON.stringify([settings, globals])), files };
}

/**
 * The files whose lint can differ from the last clean one: those that have changed, and those that import one of them, also by
 * others. Rules read the types of what a file imports, and of nothing else.
 * @param before the state at the last clean lint; null if there is none.
 */
export function filesToLint(before: Linted | null, now: Linted): string[] {
  const all = Object.entries(now.files);
  if (before?.settings !== now.settings) return all.map(([file]) => file);
  const importers = new Map<string, string[]>();
  for (const [file, { names }] of all)
    for (const name of names) importers.set(name, [...(importers.get(name) ?? []), file]);
  const isOther = (file: string) => before.files[file]?.hash !== now.files[file]?.hash;
  const waiting = Object.keys({ ...before.files, ...now.files }).filter(isOther);
  const found = new Set(waiting);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const importer of importers.get(file) ?? []) {
      if (!found.has(importer)) waiting.push(importer);

      found.add(importer);
    }
  }
  return all.map(([file]) => file).filter((file) => found.has(file));
}

function resolve(file: string, name: string): string {
  return name.startsWith("#") ? name.slice(1) : path.join(path.dirname(file), name);
}

function hashOf(text: string): string {
  return Bun.hash(text).toString(36);
}
