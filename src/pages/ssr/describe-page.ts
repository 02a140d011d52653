import type { Here } from "#client/ui/use-here.ts";
import { say, shorten } from "#src/http/contract.ts";
import { escapeHtml } from "#src/http/escape-html.ts";
import type { Env } from "#src/settings/env.ts";
import { PICTURE_SIZE } from "#src/shares/contract.ts";
import { descriptions, ofSession, otherwise, publicPages } from "./page-descriptions.ts";

const DESCRIPTION_LENGTH_MAX = 200;
const PREVIEW_PATH = "/api/v1/preview.png";
const PREVIEW_ALT = "Called It: say it before it happens.";

type Described = {
  here: Here;
  /** The path of the page, with what a link to it needs of its query. */
  path: string;
  status: number;
  /** The page's routes with what their loaders have returned, outermost first. */
  matches: readonly { loaderData: unknown }[];
};

/** What a link shows, as far as previews need it. */
type Shown = {
  title: string;
  description: string;
  imageUrl: string;
  /** What the picture shows, if that is neither title nor description. */
  alt?: string;
};

/**
 * The tags by which search engines and link previews describe a page: a description on all of them, and on public ones the
 * canonical address and the Open Graph tags. Shared links are for those who got them, so search engines leave them out.
 */
export function describePage(
  { publicUrl }: Pick<Env, "publicUrl">,
  { here, path, status, matches }: Described,
): string {
  const shown = sharedIn(matches.at(-1)?.loaderData);
  const description = shown?.description ?? descriptionOf(here);
  const url = `${publicUrl}${path}`;
  const isPublic = status === 200 && here.route !== undefined && publicPages.has(here.route);
  return [
    meta("name", "description", description),
    ...(shown === null ? [] : [meta("name", "robots", "noindex")]),
    ...(isPublic
      ? [canonical(url), ...previewTags(shown ?? previewOf(publicUrl, here, description), url)]
      : []),
  ].join("\n");
}

function canonical(url: string): string {
  return `<link rel="canonical" href="${escapeHtml(url)}">`;
}

/** A page as it is shown where people post its link. */
function previewTags({ title, description, imageUrl, alt }: Shown, url: string): string[] {
  return [
    siteTags,
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    meta("property", "og:url", url),
    meta("property", "og:image", imageUrl),
    pictureTags,
    meta("property", "og:image:alt", alt ?? say`${title}. ${description}`),
  ];
}

/** A page without a picture of its own, or with that of its session's brand. */
function previewOf(publicUrl: string, { title, session }: Here, description: string): Shown {
  if (session?.settings.brand === undefined)
    return { title, description, imageUrl: `${publicUrl}${PREVIEW_PATH}`, alt: PREVIEW_ALT };
  return { title, description, imageUrl: `${publicUrl}/api/v1/sessions/${session.slug}/preview.png` };
}

function descriptionOf({ route = "", session }: Here): string {
  const written = session?.description.replaceAll(/\s+/g, " ").trim() ?? "";
  if (written !== "" && ofSession.has(route)) return shorten(written, DESCRIPTION_LENGTH_MAX);
  const text = descriptions[route] ?? otherwise;
  return session === null ? text : say`${session.name}. ${text}`;
}

function sharedIn(data: unknown): Shown | null {
  return hasShared(data) ? data.shared : null;
}

function hasShared(data: unknown): data is { shared: Shown } {
  return typeof data === "object" && data !== null && "shared" in data;
}

function meta(kind: "name" | "property", name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;
}

/** What is the same on all public pages. */
const siteTags = [
  meta("name", "twitter:card", "summary_large_image"),
  meta("property", "og:site_name", "Called It"),
  meta("property", "og:type", "website"),
].join("\n");

/** Of the picture, whose address comes right before. */
const pictureTags = [
  meta("property", "og:image:type", "image/png"),
  meta("property", "og:image:width", String(PICTURE_SIZE.width)),
  meta("property", "og:image:height", String(PICTURE_SIZE.height)),
].join("\n");
