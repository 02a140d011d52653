import { delayTexts, WAIT_ID, WAIT_LEFT_ID, WAIT_OFF_ID } from "#client/base/delay/delay-texts.ts";
import { minutes } from "#client/base/format/countdown.ts";
import type { Page } from "#client/base/page/page.ts";
import type { Deps } from "#src/base/deps.ts";
import { findLastChange } from "#src/base/outbox/outbox-rows.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { CSRF_PARAM } from "#src/http/contract.ts";
import { plainSite, site } from "#src/settings/contract.ts";
import type { PageFiles } from "./page-files.ts";

type Parts = {
  page: Page;
  title: string;
  /** The tags that describe the page to others. */
  description: string;
  nonce: string;
  files: PageFiles;
  /** The data that the browser's router hydrates from. */
  hydrationData: unknown;
  /** For a device with a stream delay; null for all others. */
  delay: PageDelay | null;
};

/** The HTML around the app. Parts of the app that come late follow between `tail` and `end`. */
export type DocumentAround = {
  opening: string;
  /** The styles and all else that many pages have in common. There are few of these texts. */
  start: string;
  /** The page's metadata, up to the app's root element. */
  head: string;
  /**
   * The data that the browser hydrates from, and its code, which starts at once and not after the last part.
   */
  tail: string;
  end: string;
};

/** @param variant whether parts of the app come late, and whether the app has run in the browser. */
export function documentAround(
  { page, title, description, nonce, files, hydrationData, delay }: Parts,
  variant: Parameters<PageFiles["start"]>[1],
): DocumentAround {
  const wait = writeWait(delay);
  const start = files.start(page.theme, variant);
  return {
    opening: `${start.before}<title>${Bun.escapeHTML(title)}</title>
${description}`,
    start: start.after,
    head: `${metadataOf(page)}
</head><body${accentStyle()}>${wait}<div id="root"${wait === "" ? "" : " hidden"}${attributes({ ...rootData(page), ...delayData(delay) })}>`,
    tail: `</div>
<script type="application/json" id="loaded"${files.isLate ? " data-late" : ""} nonce="${nonce}">${jsonForScript(hydrationData)}</script>
${lookAtBrowser(files.plainPage, nonce)}
<script type="module" async src="/assets/${files.entry}" nonce="${nonce}"></script>
`,
    end: "</body></html>",
  };
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
    .map(([name, content]) => `<meta name="${name}" content="${Bun.escapeHTML(content)}">`)
    .join("\n");
}

/** The data attributes of the root element, from which the browser reads the page's context. */
function rootData({ viewer, oidc, delaySeconds, ...page }: Page): Record<string, string> {
  const avatar = viewer === null ? {} : { "user-avatar": JSON.stringify(viewer.avatar) };
  const hostOf =
    viewer === null || viewer.hostOf.length === 0 ? {} : { "host-of": JSON.stringify(viewer.hostOf) };
  const breakUntil = viewer?.breakUntil ?? null;
  return {
    ...viewerData(viewer),
    ...avatar,
    ...hostOf,
    ...(breakUntil === null ? {} : { "break-until": breakUntil }),
    "time-zone": page.timeZone,
    demo: String(page.demo),
    ...(site() === plainSite ? {} : { site: JSON.stringify(site()) }),
    ...(oidc === undefined ? {} : { oidc: JSON.stringify(oidc) }),
    ...(page.closed === undefined ? {} : { closed: JSON.stringify(page.closed) }),
    "stream-offsets": JSON.stringify(page.streamOffsets),
    ...(delaySeconds === 0 ? {} : { delay: String(delaySeconds) }),
  };
}

/** The accent of the site for the style sheets. Sheets of high contrast overrule it. */
export function accentStyle(): string {
  const { accent } = site();
  return accent === null ? "" : ` style="--site:${accent.color};--on-site:${accent.ink}"`;
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
    .map(([name, value]) => ` data-${name}="${Bun.escapeHTML(value)}"`)
    .join("");
}

// Decision: a browser that is older than those that are supported (README.md) gets the page as it is without JavaScript, and one
// sentence. Nothing of the app runs in it: half of an app is a white page, or a press that does nothing. The look is a classic script
// in words that every browser reads, because an old one may not even parse the app.

/** What the app needs, that some old browser lacks, and that the app does not make itself (client/base/browser/older-functions.ts). */
export const NEEDED = [
  "AbortSignal.timeout",
  "Array.prototype.at",
  "Array.prototype.findLast",
  "Object.hasOwn",
  "String.prototype.replaceAll",
  "CSS.supports",
] as const;
const NEEDED_STYLES = [
  ["container-type", "size"],
  ["height", "1dvh"],
] as const;

/** @param script what an old browser gets instead of the app, under /assets/ (client/build/build.ts). */
function lookAtBrowser(script: string, nonce: string): string {
  return `<script nonce="${nonce}">${LOOK}("/assets/${script}")</script>`;
}

const supports = NEEDED_STYLES.map((style) => `CSS.supports(${style.map((word) => `"${word}"`).join()})`);
const LOOK = `(function(w,d){function has(n){for(var o=w,p=n.split("."),i=0;o&&i<p.length;i++)o=o[p[i]];return o}return function(f,s){if("${NEEDED.join(" ")}".split(" ").every(has)&&${supports.join("&&")})return;w.tooOld=!0;s=d.createElement("script");s.src=f;d.body.appendChild(s)}})(window,document)`;

// Decision: a page for a device with a stream delay is written as it is now and hidden until the delay has passed since the last
// change of the game. Then it is what the device's viewer may see, and what came meanwhile waits in the page's queue. So no
// screen has to know how it was some seconds ago, and the first paint reveals nothing.

/** The delay of a page: its viewer's seconds, and the times from which its end follows, in milliseconds since 1970. */
type PageDelay = { seconds: number; changedAtMs: number; renderedAtMs: number };

/**
 * The delay of a page that has been read just now.
 * @param isComplete false while parts of the page are still to be read: they may contain later changes.
 */
export async function delayFor(
  { pool, log }: Pick<Deps, "pool" | "log">,
  { seconds, isComplete }: { seconds: number; isComplete: boolean },
): Promise<PageDelay> {
  const lastChangeMs = await findLastChange(pool.db).catch((error: unknown) => {
    log.debug({ err: error }, "could not find the last change of the game");
    return null;
  });
  const renderedAtMs = serverNow().getTime();
  const isKnown = isComplete && lastChangeMs !== null;
  return {
    seconds,
    renderedAtMs,
    changedAtMs: isKnown ? Math.min(lastChangeMs, renderedAtMs) : renderedAtMs,
  };
}

/** What the browser's code needs to show the page (client/base/delay/follow-stream-delay.ts). */
function delayData(delay: PageDelay | null): Record<string, string> {
  if (delay === null) return {};
  const { changedAtMs, renderedAtMs } = delay;
  return { "changed-at": String(changedAtMs), "rendered-at": new Date(renderedAtMs).toISOString() };
}

/** The notice on a delayed page: why nothing is shown yet, for how long, and how to end that. Empty for a page that may be shown at once. */
function writeWait(delay: PageDelay | null): string {
  if (delay === null) return "";
  const { seconds, changedAtMs, renderedAtMs } = delay;
  const leftMs = changedAtMs + seconds * 1_000 - renderedAtMs;
  if (leftMs <= 0) return "";
  const left = minutes(leftMs);
  const [before = "", after = ""] = delayTexts
    .startsIn("\n")
    .split("\n")
    .map((text) => Bun.escapeHTML(text));
  return `<main class="page" id="${WAIT_ID}"><section class="panel blank">
<h1>${Bun.escapeHTML(delayTexts.heading)}</h1>
<p class="num" role="timer">${before}<b id="${WAIT_LEFT_ID}">${left}</b>${after}</p>
<p>${Bun.escapeHTML(delayTexts.why(seconds))}</p>
<button class="btn" type="button" id="${WAIT_OFF_ID}">${Bun.escapeHTML(delayTexts.turnOff)}</button>
</section></main>`;
}

const escapes: Record<string, string> = { "<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029" };

/** JSON that is safe inside a <script>: it cannot end the element, start a comment or contain a line separator. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<\u2028\u2029]/g, (letter) => escapes[letter] ?? letter);
}
