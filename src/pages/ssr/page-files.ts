import { TIME_ZONE_COOKIE } from "#client/base/format/time-format.ts";
import { isBigScreen } from "#client/base/page/guard.ts";
import { isHandle } from "#client/base/page/handle.ts";
import { contrastMedia, type Page, schemeOf, type Theme } from "#client/base/page/page.ts";
import { ENTRY, type PageFont } from "#client/build/build.ts";
import { groundColors } from "#client/build/draw-icons.ts";
import { readCookie } from "#src/http/cookies.ts";
import type { Assets } from "./assets.ts";

// Decision: on a first visit the styles are part of the page, so that nothing blocks the first paint: a link costs a slow phone one more
// round trip before it (1.65 s instead of 0.92, bare React with a link 1.58). They are more than half of the page's bytes and of the CPU
// time of its compression, so a browser in which the app has run before, as the cookie with its time zone says, gets links. The app has
// fetched these files then (client/app/once-live.ts); after a release, or where a chunk has more, the browser fetches them again. Those of
// high contrast are in the page too: a browser fetches a link whose media do not match as well, and waits for one whose media do.
//
// Decision: a page is shown in one font from its first paint to its end, because a text may wrap differently in another one, and what
// stands below it would move. So the first page that a browser opens is shown in a font of the system. It fetches the product's font once
// it is live, when its scripts need neither the line nor the processor, and each later page begins in it. A big screen alone changes its
// font while it is open: it stays open for hours, and nobody reads it while it is loaded.

/** What all pages whose screens are in one module share: their files, and the text that they begin with. */
export type PageFiles = {
  /** The script that starts the app, under /assets/. */
  entry: string;
  /** What a browser gets instead that is too old for it, under /assets/. */
  plainPage: string;
  /** The code of the screens is in a module that the entry fetches before it hydrates the page. */
  isLate: boolean;
  /** The sources of the inline styles, for the content security policy. */
  styleSources: string;
  start: (theme: Theme, variant: Variant) => Start;
};
/** What stands before and after what a page is about: that is before the styles, because link previews read the first 32 KB. */
type Start = { before: string; after: string };
type Variant = {
  isStreamed: boolean;
  /** The app has run in the browser before, and has fetched the styles as files. */
  isKnown: boolean;
  font: FontUse;
};
/** `kept`: the browser has it from an earlier page. `awaited`: it is shown when it arrives. `later`: on the next page. */
type FontUse = "kept" | "awaited" | "later";

const filesOf = new WeakMap<Assets, Map<string, PageFiles>>();

/**
 * The files of the pages of a module. What all these pages begin with is written once.
 * @param module the one with the screen's code; null if that is part of the entry.
 */
export function findPageFiles(assets: Assets, module: string | null): PageFiles {
  const known = filesOf.get(assets) ?? new Map<string, PageFiles>();
  filesOf.set(assets, known);
  const name = module ?? ENTRY;
  const found = known.get(name);
  if (found !== undefined) return found;
  const files = makePageFiles(assets, name);
  known.set(name, files);
  return files;
}

function makePageFiles({ manifest, icon }: Assets, module: string): PageFiles {
  const { entry, plainPage, chunks, contrast, font, touchIcon } = manifest;
  const sheets = [...new Set([ENTRY, module])].flatMap((name) => manifest.sheets[name] ?? []);
  const styles = [...sheets, contrast];
  const moreStyles = JSON.stringify(
    Object.fromEntries(
      Object.entries(manifest.sheets).flatMap(([name, sheet]) =>
        sheets.includes(sheet) ? [] : [[name, `/assets/${sheet.file}`]],
      ),
    ),
  );
  // All scripts are listed, so that the browser does not discover them one by one.
  const scripts = new Set([...(chunks[ENTRY] ?? []), ...(chunks[module] ?? [])]);
  const starts = new Map<string, Start>();
  return {
    entry,
    plainPage,
    isLate: module !== ENTRY,
    styleSources: [...styles.map(({ text }) => text), WITHOUT_JAVASCRIPT, font.optional, font.swap]
      .map(sourceOf)
      .join(" "),
    start: (theme, variant) => {
      const key = JSON.stringify([theme, variant]);
      const known = starts.get(key);
      if (known !== undefined) return known;
      const { isKnown, isStreamed } = variant;
      const styleTags = styles
        .map((sheet) => {
          const media = sheet === contrast ? ` id="contrast" media="${contrastMedia(theme)}"` : "";
          return isKnown
            ? `<link rel="stylesheet"${media} href="/assets/${sheet.file}">`
            : `<style${media} data-keep="/assets/${sheet.file} ${font.url}">${sheet.text}</style>`;
        })
        .join("\n");
      const fontTags = tagsOf(font, variant.font);
      const start = startOf({
        theme,
        styleTags,
        moreStyles,
        fontTags,
        scripts,
        icon,
        touchIcon,
        isStreamed,
      });
      starts.set(key, start);
      return start;
    },
  };
}

type StartParts = {
  theme: Theme;
  styleTags: string;
  /** The addresses of what the pages of other chunks need besides, by the chunk's module. */
  moreStyles: string;
  fontTags: string;
  scripts: ReadonlySet<string>;
  /** As a `data:` URL. */
  icon: string;
  /** The icon of the home screen of iOS, under /assets/. */
  touchIcon: string;
  isStreamed: boolean;
};

function startOf(parts: StartParts): Start {
  const { theme, styleTags, moreStyles, fontTags, scripts, icon, touchIcon, isStreamed } = parts;
  const isChosen = theme !== "system";
  const scheme = schemeOf[theme] ?? "light dark";
  const preloads = [...scripts].map((file) => `<link rel="modulepreload" href="/assets/${file}">`);
  const before = `<!doctype html>
<html lang="en"${isChosen ? ` data-theme="${theme}"` : ""}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
`;
  const after = `
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<meta name="color-scheme" content="${scheme}">
${fontTags}
${preloads.join("\n")}
${styleTags}
<meta name="more-styles" content="${Bun.escapeHTML(moreStyles)}">
${isStreamed ? `<noscript><style>${WITHOUT_JAVASCRIPT}</style></noscript>\n` : ""}<link rel="icon" href="${icon}">
${appLinks(theme, touchIcon)}`;
  return { before, after };
}

/**
 * A browser waits with the first paint for a font that is preloaded, some hundredths of a second. It stands before the scripts, so that it
 * is read from the browser's cache before there is something to paint. Without JavaScript each page asks for it: no script is waited for.
 */
function tagsOf({ url, optional, swap }: PageFont, use: FontUse): string {
  const tags = `<link rel="preload" as="font" type="font/woff2" crossorigin href="${url}"><style>${use === "awaited" ? swap : optional}</style>`;
  return use === "later" ? `<noscript>${tags}</noscript>` : tags;
}

/**
 * Without JavaScript nobody moves the late parts to their places. They are shown below the page, like more of it, and the loading
 * states are not.
 */
const WITHOUT_JAVASCRIPT = `
.loading,.plot-space{display:none}.frame{min-height:0}.page{padding-block-end:0}
body>[hidden]:not(:empty){display:grid;gap:var(--s-5);grid-template-columns:minmax(0,1fr);max-width:1120px;margin-inline:auto;padding:var(--s-5) var(--s-4)}
@media(min-width:64rem){body>[hidden]{padding-inline:var(--s-8)}}
`;

/** How the page of a request is to show the font. A known browser has it. */
export function fontUseOf(request: Request): FontUse {
  if (isBigScreen(request.url)) return "awaited";
  return runsScript(request) ? "kept" : "later";
}

/** The source of an inline style in the content security policy. The text must be exactly that of the element. */
function sourceOf(style: string): string {
  return `'sha256-${new Bun.CryptoHasher("sha256").update(style).digest("base64")}'`;
}

/**
 * What browsers read of the installed app in the head of a page: the web app manifest, the icon of iOS, and the colour of the
 * system's bars in this theme. A browser fetches the first two when the page is loaded, and the icon only for a home screen.
 * @param touchIcon the icon's file under /assets/.
 */
function appLinks(theme: Theme, touchIcon: string): string {
  return `<link rel="manifest" href="/manifest.webmanifest">
<link rel="apple-touch-icon" href="/assets/${touchIcon}">
${themeColors(theme)}
`;
}

function themeColors(theme: Theme): string {
  const chosen = schemeOf[theme];
  if (chosen !== null) return `<meta name="theme-color" content="${groundColors[chosen]}">`;
  return Object.entries(groundColors)
    .map(
      ([scheme, color]) =>
        `<meta name="theme-color" content="${color}" media="(prefers-color-scheme: ${scheme})">`,
    )
    .join("\n");
}

// Decision: "Back" and "Forward" return to a signed-in viewer's page as it was left, from the browser's memory. Browsers do
// that only without `no-store`. `no-cache` and `vary: *` still keep the page out of every other use of a cache: it is then
// requested again, because its data, clock and tokens are of that moment. The returned page asks who is signed in
// (client/base/live/page-cache.ts). Without JavaScript nobody asks, so such browsers get `no-store`. Pages that are open to all
// have `no-store` too: their forms and tokens end with the next sign-in, and their addresses may contain a secret from a mail.

const RETURNABLE = { "cache-control": "private, no-cache", vary: "*" } as const;
const NOT_STORED = { "cache-control": "no-store", vary: "accept-encoding, cookie" } as const;

type Shown = { page: Page; status: number; matches: readonly { handle: unknown }[] };

/** The headers with which a page says whether browsers may return to it from their memory. */
export function cachingOf(
  request: Request,
  { page, status, matches }: Shown,
): typeof RETURNABLE | typeof NOT_STORED {
  const handle = matches.map((match) => match.handle).findLast(isHandle);
  const isReturnable =
    request.method === "GET" && status === 200 && page.viewer !== null && handle?.flags.open !== true;
  return isReturnable && runsScript(request) ? RETURNABLE : NOT_STORED;
}

/** The app has run in the browser before: only a script sets this cookie, on the first page that the browser opens. */
export function runsScript(request: Request): boolean {
  return readCookie(request, TIME_ZONE_COOKIE) !== null;
}
