import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { site } from "#src/settings/contract.ts";
import { findSession } from "#src/show/sessions/find-session.ts";
import { canShow } from "#src/show/sessions/require-watcher.ts";
import type { EmbedAnswer, EmbedQuery } from "./schemas.ts";

const SIZE = { width: 640, height: 360 };
const sessionPath = /^\/sessions\/([^/]+)(?:\/card)?\/?$/;

/**
 * Describes the card of a session that everybody may see now.
 * @throws Refusal 404 for an address that is of no such session, and where nothing may be in a frame.
 */
export async function showEmbed(
  { env, pool }: Pick<Deps, "env" | "pool">,
  { url, maxwidth = SIZE.width, maxheight = SIZE.height }: EmbedQuery,
  now: Date,
): Promise<EmbedAnswer> {
  const { publicUrl, frameOrigins } = env;
  const slug = frameOrigins.length === 0 ? null : slugIn(url, publicUrl);
  const session = slug === null ? null : await findSession(pool.db, slug);
  if (session === null || !canShow(session, now)) throw notFound();
  const [width, height] = [Math.min(SIZE.width, maxwidth), Math.min(SIZE.height, maxheight)];
  const title = Bun.escapeHTML(session.name);
  return {
    version: "1.0",
    type: "rich",
    provider_name: site().name,
    provider_url: publicUrl,
    title: session.name,
    html: `<iframe src="${publicUrl}/sessions/${session.slug}/card" title="${title}" width="${width}" height="${height}" style="border:0" loading="lazy"></iframe>`,
    width,
    height,
  };
}

/** The slug in the address of a session of ours, or of its card; null for any other. */
function slugIn(url: string, publicUrl: string): string | null {
  const address = URL.parse(url);
  if (address?.origin !== new URL(publicUrl).origin) return null;
  return sessionPath.exec(address.pathname)?.[1] ?? null;
}
