import path from "node:path";
import { bundle, Features, transform } from "lightningcss";
import { fallbackStyles } from "./fonts.ts";

/** The browsers that are supported (README.md). What is nested, or younger in another way, is written as they read it. */
const options = {
  minify: true,
  targets: { chrome: 109 << 16, firefox: 115 << 16, safari: (16 << 16) | (4 << 8) },
  drafts: { customMedia: true },
};
const STYLES = path.join(import.meta.dir, "../styles");

/**
 * A sheet with all that it imports.
 * @param file its path.
 * @throws for what is no CSS.
 */
export function bundleSheet(file: string): string {
  return bundle({ ...options, filename: file, exclude: Features.LightDark }).code.toString();
}

/** What the pages of players need. */
export function playerStyles(file: string): string {
  return minify(fallbackStyles) + bundleSheet(file) + olderColours("tokens.css");
}

export function contrastStyles(): string {
  return bundleSheet(path.join(STYLES, "contrast/contrast.css")) + olderColours("contrast/high-contrast.css");
}

/**
 * The sheet's colours for browsers without light-dark() (Chromium before 123, Firefox before 120, Safari before 17.5). All others keep
 * the function, because its substitute ignores a nested color-scheme.
 */
function olderColours(name: string): string {
  const { code } = bundle({ ...options, filename: path.join(STYLES, name) });
  return `@supports not (color:light-dark(#000,#fff)){${code.toString()}}`;
}

/** @throws for what is no CSS. */
export function minify(css: string): string {
  return transform({ ...options, filename: "fonts.css", code: Buffer.from(css) }).code.toString();
}
