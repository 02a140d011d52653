import { readFileSync } from "node:fs";
import path from "node:path";
import { Features, transform } from "lightningcss";
import { fallbackStyles } from "./fonts.ts";
import { chunkSheets, contrastSheets, sheets } from "./style-sheets.ts";

/** What the pages of players need. */
export function playerStyles(): string {
  return minify(fallbackStyles) + join(sheets) + olderColours("tokens");
}

/** What the pages of a chunk need besides, by the chunk's module. */
export function chunkStyles(): Record<string, string> {
  return Object.fromEntries(Object.entries(chunkSheets).map(([module, names]) => [module, join(names)]));
}

/** The style sheet of high contrast and forced colours. */
export function contrastStyles(): string {
  return join(contrastSheets) + olderColours("contrast/high-contrast");
}

/** The named widths, which every sheet may use. */
const BREAKPOINTS = readFileSync(path.join(import.meta.dir, "../styles/breakpoints.css"), "utf8");

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

function join(names: readonly string[]): string {
  return names
    .map(readSheet)
    .map(({ css, file }) => minify(css, file))
    .join("");
}

function readSheet(name: string): { css: string; file: string } {
  const file = path.join(import.meta.dir, "../styles", `${name}.css`);
  return { css: BREAKPOINTS + readFileSync(file, "utf8"), file };
}

/** @throws for what is no CSS. */
export function minify(css: string, filename = "fonts.css", exclude: number = Features.LightDark): string {
  const code = Buffer.from(css);
  const drafts = { customMedia: true };
  return transform({ filename, code, minify: true, targets: TARGETS, exclude, drafts }).code.toString();
}
