import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { forged, isProvenSameOrigin } from "#src/http/csrf.ts";
import { isSafeMethod, type RequestContext } from "#src/http/request-context.ts";
import { authenticate } from "./authenticate.ts";
import { isAdmin, isStaff } from "./viewer.ts";

// Decision: src/main.ts hands the dashboard to the server. Only jobs knows BullMQ, so only jobs can create the dashboard, and
// only src knows who may see it.

/**
 * The queue dashboard, created by jobs. It answers every request below its path.
 * @param as whether the viewer may do more than read.
 */
export type Dashboard = (request: Request, as: { mayChange: boolean }) => Promise<Response>;

type Guarded = {
  /** Without one, it is not found by anybody. */
  dashboard: Dashboard | undefined;
  /** Answers that there is nothing. */
  answerNothing: () => Promise<Response>;
};

/**
 * Answers a request for the queue dashboard: operators may read, admins may change things, and everyone else gets 404. Its requests
 * carry no anti-forgery token, so the browser must say that they come from one of our own pages.
 */
export async function guardDashboard(
  deps: Deps,
  context: RequestContext,
  { dashboard, answerNothing }: Guarded,
): Promise<Response> {
  const { request } = context;
  const { viewer } = await authenticate(deps, context);
  const isSafe = isSafeMethod(request);
  if (dashboard === undefined || !isStaff(viewer)) {
    if (!isSafe) throw notFound();
    return answerNothing();
  }
  if (!isSafe && !isProvenSameOrigin(request, deps.env.publicUrl)) throw forged();
  return dashboard(request, { mayChange: isAdmin(viewer) });
}
