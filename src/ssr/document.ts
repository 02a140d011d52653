import type { Page } from "#client/page.ts";
import { CSRF_PARAM } from "#src/http/contract.ts";
import { escapeHtml } from "#src/http/escape-html.ts";
import { jsonForScript } from "./script-json.ts";

type Parts = {
  page: Page;
  title: string;
  nonce: string;
  /** File names under /assets/. */
  files: { styles: string; font: string; mark: string; entry: string; scripts: readonly string[] };
  /** The data that the browser's router hydrates from. */
  hydrationData: unknown;
};

/** The HTML around the app. Parts of the app that come late follow between `tail` and `end`. */
export type DocumentAround = {
  /** Metadata and files, up to the app's root element. */
  head: string;
  /** The data that the browser hydrates from, and its code, which starts at once and not after the last part. */
  tail: string;
  end: string;
};

/** @param isStreamed whether parts of the app come late. */
export function documentAround(
  { page, title, nonce, files, hydrationData }: Parts,
  { isStreamed }: { isStreamed: boolean },
): DocumentAround {
  const theme = page.theme === "system" ? "" : ` data-theme="${page.theme}"`;
  const head = `<!doctype html>
<html lang="en"${theme}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="${page.theme === "system" ? "light dark" : page.theme}">
<title>${escapeHtml(title)}</title>
${linksFor(files)}
${metadataOf(page)}
${isStreamed ? styleWithoutScript(nonce) : ""}</head><body><div id="root"${attributes(rootData(page))}>`;
  const tail = `</div>
<script type="application/json" id="loaded" nonce="${nonce}">${jsonForScript(hydrationData)}</script>
<script type="module" async src="/assets/${files.entry}" nonce="${nonce}"></script>
`;
  return { head, tail, end: "</body></html>" };
}

/**
 * Without script nobody moves the late parts to their places. They are shown below the page, like more of it, and the loading
 * states are not.
 */
function styleWithoutScript(nonce: string): string {
  return `<noscript><style nonce="${nonce}">
.loading,.plot-space{display:none}.frame{min-height:0}.page{padding-block-end:0}
body>[hidden]:not(:empty){display:grid;gap:var(--s-5);grid-template-columns:minmax(0,1fr);max-width:1120px;margin-inline:auto;padding:var(--s-5) var(--s-4)}
@media(min-width:1024px){body>[hidden]{padding-inline:var(--s-8)}}
</style></noscript>
`;
}

function linksFor({ styles, font, mark, scripts }: Parts["files"]): string {
  return [
    `<link rel="preload" href="/assets/${font}" as="font" type="font/woff2" crossorigin>`,
    `<link rel="stylesheet" href="/assets/${styles}">`,
    ...scripts.map((file) => `<link rel="modulepreload" href="/assets/${file}">`),
    `<link rel="icon" href="/assets/${mark}" type="image/svg+xml">`,
  ].join("\n");
}

function metadataOf(page: Page): string {
  const values = {
    "csrf-param": CSRF_PARAM,
    "csrf-token": page.csrfToken,
    "action-cable-url": page.cableUrl,
    "active-session": page.activeSession === null ? "" : JSON.stringify(page.activeSession),
    ...viewerData(page.viewer),
  };
  return Object.entries(values)
    .map(([name, content]) => `<meta name="${name}" content="${escapeHtml(content)}">`)
    .join("\n");
}

/** The data attributes of the root element, from which the browser reads the page's context. */
function rootData({ viewer, timeZone, demo, streamOffsets }: Page): Record<string, string> {
  const avatar = viewer === null ? {} : { "user-avatar": JSON.stringify(viewer.avatar) };
  return {
    ...viewerData(viewer),
    ...avatar,
    "time-zone": timeZone,
    demo: String(demo),
    "stream-offsets": JSON.stringify(streamOffsets),
  };
}

function viewerData(viewer: Page["viewer"]): Record<string, string> {
  if (viewer === null) {
    return { "user-gid": "", "user-id": "", "user-email": "", "user-roles": "[]", "user-guest": "false" };
  }
  return {
    "user-gid": viewer.gid,
    "user-id": String(viewer.id),
    "user-email": viewer.email ?? "",
    "user-username": viewer.username,
    "user-roles": JSON.stringify(viewer.roles),
    "user-guest": String(viewer.guest),
  };
}

function attributes(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join("");
}
