import type { Page } from "#client/base/page/page.ts";
import { CSRF_PARAM } from "#src/http/contract.ts";
import { escapeHtml } from "#src/http/escape-html.ts";
import { lookAtBrowser } from "./look-at-browser.ts";
import type { PageFiles } from "./page-files.ts";
import { jsonForScript } from "./script-json.ts";
import { type PageDelay, delayData, writeWait } from "./stream-delay.ts";

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
  /** What the page is about. */
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
    opening: `${start.before}<title>${escapeHtml(title)}</title>
${description}`,
    start: start.after,
    head: `${metadataOf(page)}
</head><body>${wait}<div id="root"${wait === "" ? "" : " hidden"}${attributes({ ...rootData(page), ...delayData(delay) })}>`,
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
    .map(([name, content]) => `<meta name="${name}" content="${escapeHtml(content)}">`)
    .join("\n");
}

/** The data attributes of the root element, from which the browser reads the page's context. */
function rootData({ viewer, timeZone, demo, streamOffsets, delaySeconds }: Page): Record<string, string> {
  const avatar = viewer === null ? {} : { "user-avatar": JSON.stringify(viewer.avatar) };
  const hostOf =
    viewer === null || viewer.hostOf.length === 0 ? {} : { "host-of": JSON.stringify(viewer.hostOf) };
  return {
    ...viewerData(viewer),
    ...avatar,
    ...hostOf,
    "time-zone": timeZone,
    demo: String(demo),
    "stream-offsets": JSON.stringify(streamOffsets),
    ...(delaySeconds === 0 ? {} : { delay: String(delaySeconds) }),
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
