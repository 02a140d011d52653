import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { forged } from "#src/http/csrf.ts";
import { isSurelyFromUs } from "#src/http/origin.ts";
import { isDashboardPath, isSafeMethod, pathOf } from "#src/http/page-request.ts";
import { authenticate } from "./authenticate.ts";
import { isAdmin, isStaff } from "./viewer.ts";

/**
 * The queue dashboard, which src does not make: it answers every request below its path.
 * @param as whether the viewer may do more than look.
 */
export type Dashboard = (request: Request, as: { mayChange: boolean }) => Promise<Response>;

/**
 * The door of the queue dashboard: operators may look, admins may change, and to everybody else there is nothing there.
 * Its requests carry no anti-forgery token, so that the browser has to say that they come from a page of ours.
 * @param dashboard undefined: there is nothing there for anybody.
 */
export function guardingDashboard(deps: Deps, dashboard: Dashboard | undefined) {
  return new Elysia({ name: "dashboard" }).wrap((answer) => async (request: Request) => {
    if (!isDashboardPath(pathOf(request))) return answer(request);
    const { viewer } = await authenticate(deps, request);
    const isSafe = isSafeMethod(request);
    if (dashboard === undefined || !isStaff(viewer)) {
      if (!isSafe) throw notFound();
      return answer(request);
    }
    if (!isSafe && !isSurelyFromUs(request, deps.env.publicUrl)) throw forged();
    return dashboard(request, { mayChange: isAdmin(viewer) });
  });
}
