import { readFileSync } from "node:fs";
import path from "node:path";
import { fallbackFaces } from "./fonts.ts";
import { contrastSheets, fewPages, needsFewPages, sheets, sheetsOf } from "./style-sheets.ts";

/** The style sheets of a page. */
export type PageStyles = {
  /** What the first screen needs. It is part of the page itself, so nothing blocks the first paint. */
  critical: string;
  /** What is missing. It follows the critical styles in the cascade, and never blocks the first paint. */
  rest: string;
  /** What follows the rest once a page is opened that needs it; null if the rest has it. */
  later: string | null;
};

/**
 * All style sheets as one, for pages without critical styles of their own.
 * @param faces the `@font-face` rules of the font's files.
 */
export function allStyles(faces: string): string {
  return shrink(fallbackFaces) + shrink(faces) + join(sheets);
}

/**
 * The style sheets of the pages whose screens are in a module.
 *
 * The parts together look exactly like all style sheets in their order: the rest begins with the first sheet that is not
 * critical and repeats the critical ones after it.
 * @param faces the `@font-face` rules of the font's files.
 */
export function pageStyles(module: string, faces: string): PageStyles {
  const critical = sheetsOf(module);
  const firstMissing = sheets.findIndex((name) => !critical.includes(name));
  const isWhole = needsFewPages(module);
  // Those of few pages are the last.
  const rest = sheets.slice(firstMissing, isWhole ? undefined : -fewPages.length);
  return {
    critical: shrink(fallbackFaces) + join(critical),
    rest: shrink(faces) + join(rest),
    later: isWhole ? null : join(fewPages),
  };
}

/** The style sheet of high contrast and forced colours. */
export function contrastStyles(): string {
  return join(contrastSheets);
}

/**
 * Joins style sheets, without comments and indentation. Bun's CSS bundler is not used, because it rewrites light-dark() for
 * old browsers in a way that ignores a nested color-scheme.
 */
function join(names: readonly string[]): string {
  return shrink(names.map(readSheet).join("\n"));
}

function readSheet(name: string): string {
  return readFileSync(path.join(import.meta.dir, "../styles", `${name}.css`), "utf8");
}

function shrink(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};]) ?/g, "$1")
    .replaceAll(/([:,>]) /g, "$1")
    .replaceAll(";}", "}")
    .trim();
}
