import type { RouterContextProvider } from "react-router";
import { isTimeZone, TIME_ZONE_COOKIE } from "#client/base/format/time-format.ts";
import { startedFrameContext } from "#client/base/page/load-frame.ts";
import { type Page, themeOf } from "#client/base/page/page.ts";
import { formCentsContext, startedActionContext } from "#client/events/load-action.ts";
import { loadEnd } from "#client/screens/action/end/end-of-session.tsx";
import { startedSessionContext } from "#client/sessions/load-session.ts";
import { WAGER_MAX_CENTS } from "#db/lists/limits.ts";
import type { Deps } from "#src/base/deps.ts";
import { closedOf, findSwitchedOff } from "#src/base/switches/refuse-switched-off.ts";
import { DELAY_COOKIE, delayIn, WAGER_COOKIE } from "#src/http/contract.ts";
import { readCookie } from "#src/http/cookies.ts";
import { type PageData, pageDataOf, type PrefetchedRead } from "#src/pages/page-read/prefetch-page-data.ts";
import { wasAway } from "#src/people/oidc/ask-provider.ts";
import { presentViewer, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { showTeams } from "#src/play/teams/find-teams.ts";
import { findNextStart } from "#src/show/sessions/find-session-views.ts";
import { showMostWon } from "#src/show/stage/show-stage.ts";

const CABLE_PATH = "/cable";
const DEFAULT_ZONE = "UTC";

export type PageContext = {
  page: Page;
  /** What was read with the page, for its loaders. */
  data: PageData;
};

/**
 * Finds the context of a page: viewer, live session, theme, time zone and stream offsets, and the data that was read with them
 * (see beginPage). The data that loaders fetch themselves is newer than the offsets, so it may be part of the page.
 * @param csrfToken the anti-forgery token of the page's forms.
 */
export async function buildPageContext(
  deps: Deps,
  request: Request,
  { viewer, csrfToken, begun }: { viewer: Viewer | null; csrfToken: string; begun: PrefetchedRead },
): Promise<PageContext> {
  const data = await withEnd(deps, await pageDataOf(deps, request, begun), viewer);
  const { active, offsets } = data;
  const { oidc } = deps.env;
  // While the database is away a page shows all of its controls, and each of them says so.
  const off = data.off ?? (await findSwitchedOff(deps, null).catch(() => []));
  const closed = closedOf(deps.env, off);
  const page = {
    viewer: viewer === null ? null : presentViewer(viewer),
    csrfToken,
    cableUrl: CABLE_PATH,
    activeSession: active === null ? null : { id: active.id, slug: active.slug },
    theme: themeOf(readCookie(request, "theme") ?? undefined),
    timeZone: timeZoneOf(request),
    // Admins, operators and hosts see it as it is.
    delaySeconds:
      viewer?.roles.length || viewer?.hostOf.length ? 0 : delayIn(readCookie(request, DELAY_COOKIE)),
    demo: deps.env.demo,
    ...(oidc === null ? {} : { oidc: { name: oidc.name, only: oidc.only, away: wasAway(oidc) } }),
    ...(Object.keys(closed).length === 0 ? {} : { closed }),
    streamOffsets: offsets,
  };
  return { page, data };
}

/** Adds to the page of a session that is over its teams, who has won the most and when the next one starts, and waits for the code that shows it. */
async function withEnd(
  deps: Pick<Deps, "pool" | "env">,
  data: PageData,
  viewer: Viewer | null,
): Promise<PageData> {
  const { action, session } = data;
  if (viewer === null || action === null || session?.state !== "stopped") return data;
  const [next, mostWon, teams] = await Promise.all([
    findNextStart(deps.pool.db),
    showMostWon(deps, session.id),
    session.settings.teams.length === 0 ? null : showTeams(deps, viewer, String(session.id)),
    loadEnd(),
  ]);
  return { ...data, action: { ...action, next, mostWon, ...(teams === null ? {} : { finalTeams: teams }) } };
}

/** Hands what was read with a page to its loaders, and the amount that the player has wagered last by a form. */
export function handToLoaders(
  context: RouterContextProvider,
  request: Request,
  { page, data: { frame, session, action } }: PageContext,
): void {
  context.set(startedFrameContext, frame);
  context.set(startedSessionContext, session);
  context.set(startedActionContext, action);
  const formCents = formCentsOf(request, page.viewer?.id ?? 0);
  if (formCents !== null) context.set(formCentsContext, formCents);
}

function timeZoneOf(request: Request): string {
  const zone =
    readCookie(request, TIME_ZONE_COOKIE)?.replaceAll("%2F", "/").replaceAll("%2B", "+") ?? DEFAULT_ZONE;
  return isTimeZone(zone) ? zone : DEFAULT_ZONE;
}

/** Another player's amount at this browser does not count. */
function formCentsOf(request: Request, viewerId: number): number | null {
  const [player, written = ""] = readCookie(request, WAGER_COOKIE)?.split("-") ?? [];
  const cents = /^\d+$/.test(written) ? Number(written) : 0;
  return player === `${viewerId}` && cents > 0 && cents <= WAGER_MAX_CENTS ? cents : null;
}
