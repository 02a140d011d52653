import { readFileSync } from "node:fs";
import path from "node:path";

/** The style sheets in the order of the cascade; tokens.css declares the order of the layers. */
const SHEETS = [
  "tokens",
  "base",
  "topbar",
  "page",
  "play",
  "text",
  "buttons",
  "pills",
  "clock",
  "event-card",
  "result",
  "sides",
  "wager",
  "lists",
  "forms",
  "notes",
  "menu",
  "notifications",
  "shell",
  "screens",
  "receipts",
  "session-form",
  "show",
  "run-of-show",
  "stage",
  "show-forms",
  "blueprint-editor",
  "blueprint-events",
  "timeline",
  "users",
  "profiles",
  "chat",
] as const;

/**
 * Joins all style sheets to one, without comments and indentation. Bun's CSS bundler is not used, because it rewrites
 * light-dark() for old browsers in a way that ignores a nested color-scheme.
 */
export function bundleStyles({ fontUrl }: { fontUrl: string }): string {
  const sheets = SHEETS.map((name) =>
    readFileSync(path.join(import.meta.dir, "../styles", `${name}.css`), "utf8"),
  );
  return shrink([fontFaces(fontUrl), ...sheets].join("\n"));
}

/**
 * `font-display: optional`: the font is preloaded, and a page that is rendered before it has arrived keeps the fallback font,
 * so that the layout never shifts. The fallback is scaled to the width of Archivo.
 */
function fontFaces(fontUrl: string): string {
  return `@font-face { font-family: "Archivo Variable"; src: url("${fontUrl}") format("woff2-variations"); font-weight: 100 900; font-stretch: 62% 125%; font-display: optional; }
@font-face { font-family: "Archivo"; src: local("Arial"), local("Liberation Sans"), local("Helvetica"); size-adjust: 101%; ascent-override: 87%; descent-override: 21%; }`;
}

function shrink(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};]) ?/g, "$1")
    .replaceAll(";}", "}")
    .trim();
}
