import type { RouterContextProvider } from "react-router";
import { startedActionContext } from "#client/action/load-action.ts";
import { loadEnd } from "#client/end/end-of-session.tsx";
import { startedFrameContext } from "#client/load-frame.ts";
import { type Page, type StreamOffsets, themeOf } from "#client/page.ts";
import { startedSessionContext } from "#client/sessions/load-session.ts";
import { isTimeZone, TIME_ZONE_COOKIE } from "#client/ui/time-format.ts";
import type { Deps } from "#src/base/deps.ts";
import { DELAY_COOKIE, delayIn } from "#src/http/contract.ts";
import { readCookie } from "#src/http/cookies.ts";
import { type PageData, readPageData } from "#src/page-trip/begin-trip.ts";
import { findNextStart } from "#src/sessions/find-next-start.ts";
import { findActiveSession } from "#src/sessions/find-session.ts";
import { presentViewer, type Viewer } from "#src/sign-ins/viewer.ts";
import { findPageOffsets } from "./find-page-offsets.ts";

const CABLE_PATH = "/cable";
const DEFAULT_ZONE = "UTC";

export type OpenedPage = {
  page: Page;
  /** What was read with the page, for its loaders; null: they fetch all of it. */
  data: PageData | null;
};

/**
 * Finds the context of a page: viewer, live session, theme, time zone and stream offsets, and the data that was read with them
 * (see beginTrip). The data that loaders fetch themselves is newer than the offsets, so it may be part of the page.
 * @param csrfToken the anti-forgery token of the page's forms.
 */
export async function openPage(
  deps: Deps,
  request: Request,
  { viewer, csrfToken }: { viewer: Viewer | null; csrfToken: string },
): Promise<OpenedPage> {
  const data = await withNextStart(deps, await readPageData(deps, request), viewer);
  const { active, offsets } = data ?? (await findContext(deps, request, viewer));
  const page = {
    viewer: viewer === null ? null : presentViewer(viewer),
    csrfToken,
    cableUrl: CABLE_PATH,
    activeSession: active === null ? null : { id: active.id, slug: active.slug },
    theme: themeOf(readCookie(request, "theme") ?? undefined),
    timeZone: timeZoneOf(request),
    delaySeconds: delayOf(request, viewer),
    demo: deps.env.demo,
    streamOffsets: offsets,
  };
  return { page, data };
}

/** Adds to the page of a session that is over when the next one starts, and waits for the code that shows it. */
async function withNextStart(
  { pool }: Pick<Deps, "pool">,
  data: PageData | null,
  viewer: Viewer | null,
): Promise<PageData | null> {
  const action = data?.action ?? null;
  if (viewer === null || action === null || data?.session?.session.state !== "stopped") return data;
  const [next] = await Promise.all([findNextStart(pool.db), loadEnd()]);
  return { ...data, action: { ...action, fetched: { ...action.fetched, next } } };
}

/** Hands what was read with a page to its loaders. */
export function handToLoaders(context: RouterContextProvider, { frame, session, action }: PageData): void {
  context.set(startedFrameContext, frame);
  context.set(startedSessionContext, session);
  context.set(startedActionContext, action);
}

type PageContext = { active: { id: number; slug: string } | null; offsets: StreamOffsets };

/** For a page whose data comes from its loaders alone, such as the answer to a form. */
async function findContext(deps: Deps, request: Request, viewer: Viewer | null): Promise<PageContext> {
  const reading = viewer === null ? Promise.resolve(null) : findActiveSession(deps.pool.db);
  const [active, offsets] = await Promise.all([
    reading,
    findPageOffsets(deps, { request, viewer, active: reading }),
  ]);
  return { active, offsets };
}

function timeZoneOf(request: Request): string {
  const zone =
    readCookie(request, TIME_ZONE_COOKIE)?.replaceAll("%2F", "/").replaceAll("%2B", "+") ?? DEFAULT_ZONE;
  return isTimeZone(zone) ? zone : DEFAULT_ZONE;
}

/** Admins and operators see it as it is. */
function delayOf(request: Request, viewer: Viewer | null): number {
  return viewer?.roles.length ? 0 : delayIn(readCookie(request, DELAY_COOKIE));
}
