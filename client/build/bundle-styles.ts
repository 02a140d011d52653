import { readFileSync } from "node:fs";
import path from "node:path";
import { Features, transform } from "lightningcss";
import { fallbackStyles } from "./fonts.ts";
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

/** All style sheets as one, for pages without critical styles of their own. */
export function allStyles(): string {
  return minify(fallbackStyles) + joinFrom(0) + join(fewPages);
}

/**
 * The style sheets of the pages whose screens are in a module.
 *
 * The parts together look exactly like all style sheets in their order: the rest begins with the first sheet that is not
 * critical and repeats the critical ones after it.
 */
export function pageStyles(module: string): PageStyles {
  const critical = sheetsOf(module);
  const firstMissing = sheets.findIndex((name) => !critical.includes(name));
  const isWhole = needsFewPages(module);
  return {
    critical: minify(fallbackStyles) + join(critical),
    rest: joinFrom(firstMissing) + (isWhole ? join(fewPages) : ""),
    later: isWhole ? null : join(fewPages),
  };
}

/** The style sheet of high contrast and forced colours. */
export function contrastStyles(): string {
  return join(contrastSheets) + olderColours("contrast/high-contrast");
}

/** A style sheet is part of the styles of many modules. */
const minified = new Map<string, string>();

/** The browsers that are supported (README.md). What is nested, or younger in another way, is written as they read it. */
const TARGETS = { chrome: 109 << 16, firefox: 115 << 16, safari: (16 << 16) | (4 << 8) };

/**
 * The sheet's colours for browsers without light-dark() (Chromium before 123, Firefox before 120, Safari before 17.5). All others keep
 * the function, because its substitute ignores a nested color-scheme.
 */
function olderColours(name: string): string {
  const { css, file } = readSheet(name);
  return `@supports not (color:light-dark(#000,#fff)){${minify(css, file, 0)}}`;
}

/** Joins the style sheets from one on, up to those of few pages, which are the last. */
function joinFrom(first: number): string {
  return join(sheets.slice(first, -fewPages.length)) + olderColours("tokens");
}

/** Joins style sheets. */
function join(names: readonly string[]): string {
  return names.map(minifySheet).join("");
}

function minifySheet(name: string): string {
  const known = minified.get(name);
  if (known !== undefined) return known;
  const { css, file } = readSheet(name);
  const styles = minify(css, file);
  minified.set(name, styles);
  return styles;
}

function readSheet(name: string): { css: string; file: string } {
  const file = path.join(import.meta.dir, "../styles", `${name}.css`);
  return { css: readFileSync(file, "utf8"), file };
}

/** @throws for what is no CSS. */
export function minify(css: string, filename = "fonts.css", exclude: number = Features.LightDark): string {
  const code = Buffer.from(css);
  return transform({ filename, code, minify: true, targets: TARGETS, exclude }).code.toString();
}
