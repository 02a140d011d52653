import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { forged } from "#src/http/csrf.ts";
import { isProvenSameOrigin } from "#src/http/origin.ts";
import { isDashboardPath, isSafeMethod, pathOf } from "#src/http/page-request.ts";
import { authenticate } from "./authenticate.ts";
import { isAdmin, isStaff } from "./viewer.ts";

// Decision: src/main.ts hands the dashboard to the server. Only jobs knows BullMQ, so only jobs can create the dashboard, and
// only src knows who may see it.

/**
 * The queue dashboard, created by jobs. It answers every request below its path.
 * @param as whether the viewer may do more than read.
 */
export type Dashboard = (request: Request, as: { mayChange: boolean }) => Promise<Response>;

/**
 * Guards the queue dashboard: operators may read, admins may change things, and everyone else gets 404. Its requests carry no
 * anti-forgery token, so the browser must say that they come from one of our own pages.
 * @param dashboard without one, the answer is 404 for everyone.
 */
export function dashboardGuard(deps: Deps, dashboard: Dashboard | undefined) {
  return new Elysia({ name: "dashboard" }).wrap((answer) => async (request: Request) => {
    if (!isDashboardPath(pathOf(request))) return answer(request);
    const { viewer } = await authenticate(deps, request);
    const isSafe = isSafeMethod(request);
    if (dashboard === undefined || !isStaff(viewer)) {
      if (!isSafe) throw notFound();
      return answer(request);
    }
    if (!isSafe && !isProvenSameOrigin(request, deps.env.publicUrl)) throw forged();
    return dashboard(request, { mayChange: isAdmin(viewer) });
  });
}
