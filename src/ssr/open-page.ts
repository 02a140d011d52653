import { type Page, type StreamOffsets, themeOf } from "#client/page.ts";
import { isTimeZone } from "#client/ui/time-format.ts";
import type { Deps } from "#src/base/deps.ts";
import { readCookie } from "#src/http/cookies.ts";
import { findActiveSession } from "#src/sessions/find-session.ts";
import { presentViewer, type Viewer } from "#src/sign-ins/viewer.ts";
import { findPageOffsets } from "./find-page-offsets.ts";

const CABLE_PATH = "/cable";
const DEFAULT_ZONE = "UTC";

export type OpenedPage = {
  /** Resolves before `page`. Data that is read after it may be part of the page. */
  streamOffsets: Promise<StreamOffsets>;
  page: Promise<Page>;
};

/**
 * Finds the context of a page besides its loaders' data: viewer, live session, theme, time zone and stream offsets. What does
 * not depend on each other is read at the same time.
 * @param csrfToken the anti-forgery token of the page's forms.
 */
export function openPage(
  deps: Deps,
  request: Request,
  { viewer, csrfToken }: { viewer: Viewer | null; csrfToken: string },
): OpenedPage {
  const active = viewer === null ? Promise.resolve(null) : findActiveSession(deps.pool.db);
  const streamOffsets = findPageOffsets(deps, { request, viewer, active });
  const pageWith = async (): Promise<Page> => {
    const [session, offsets] = await Promise.all([active, streamOffsets]);
    return {
      viewer: viewer === null ? null : presentViewer(viewer),
      csrfToken,
      cableUrl: CABLE_PATH,
      activeSession: session === null ? null : { id: session.id, slug: session.slug },
      theme: themeOf(readCookie(request, "theme") ?? undefined),
      timeZone: timeZoneOf(request),
      demo: deps.env.demo,
      streamOffsets: offsets,
    };
  };
  return { streamOffsets, page: pageWith() };
}

function timeZoneOf(request: Request): string {
  const zone =
    readCookie(request, "time_zone")?.replaceAll("%2F", "/").replaceAll("%2B", "+") ?? DEFAULT_ZONE;
  return isTimeZone(zone) ? zone : DEFAULT_ZONE;
}
