import { readFileSync } from "node:fs";
import path from "node:path";
import { transform } from "lightningcss";
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
  return minify(fallbackStyles) + join(sheets);
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
  // Those of few pages are the last.
  const rest = sheets.slice(firstMissing, isWhole ? undefined : -fewPages.length);
  return {
    critical: minify(fallbackStyles) + join(critical),
    rest: join(rest),
    later: isWhole ? null : join(fewPages),
  };
}

/** The style sheet of high contrast and forced colours. */
export function contrastStyles(): string {
  return join(contrastSheets);
}

/** A style sheet is part of the styles of many modules. */
const minified = new Map<string, string>();

/**
 * Joins style sheets. Bun's CSS bundler is not used, because it rewrites light-dark() for old browsers in a way that ignores a
 * nested color-scheme.
 */
function join(names: readonly string[]): string {
  return names.map(minifySheet).join("");
}

function minifySheet(name: string): string {
  const known = minified.get(name);
  if (known !== undefined) return known;
  const file = path.join(import.meta.dir, "../styles", `${name}.css`);
  const styles = minify(readFileSync(file, "utf8"), file);
  minified.set(name, styles);
  return styles;
}

/** @throws for what is no CSS. */
export function minify(css: string, filename = "fonts.css"): string {
  return transform({ filename, code: Buffer.from(css), minify: true }).code.toString();
}
