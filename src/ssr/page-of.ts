import { type Page, themeOf } from "#client/page.ts";
import { isTimeZone } from "#client/ui/time-format.ts";
import type { Deps } from "#src/base/deps.ts";
import { readCookie } from "#src/http/cookies.ts";
import { findActiveSession } from "#src/sessions/find-session.ts";
import type { Authentication } from "#src/sign-ins/authenticate.ts";
import { presentViewer } from "#src/sign-ins/viewer.ts";
import { findPageOffsets } from "./find-page-offsets.ts";

const CABLE_PATH = "/cable";
const ZONE_UNKNOWN = "UTC";

/** What a page knows besides its screens' data: who asks, the live session, and how the reader wants it. */
export async function pageOf(deps: Deps, request: Request, authentication: Authentication): Promise<Page> {
  const viewer = authentication.viewer === null ? null : presentViewer(authentication.viewer);
  const active = viewer === null ? null : await findActiveSession(deps.pool.db);
  return {
    viewer,
    csrfToken: authentication.csrfToken(),
    cableUrl: CABLE_PATH,
    activeSession: active === null ? null : { id: active.id, slug: active.slug },
    theme: themeOf(readCookie(request, "theme") ?? undefined),
    timeZone: zoneIn(request),
    demo: deps.env.demo,
    streamOffsets: await findPageOffsets(deps, { request, viewer: authentication.viewer, active }),
  };
}

function zoneIn(request: Request): string {
  const named =
    readCookie(request, "time_zone")?.replaceAll("%2F", "/").replaceAll("%2B", "+") ?? ZONE_UNKNOWN;
  return isTimeZone(named) ? named : ZONE_UNKNOWN;
}
