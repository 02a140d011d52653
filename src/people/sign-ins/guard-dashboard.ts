import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { isSafeMethod, type RequestContext } from "#src/http/request-context.ts";
import { authenticate } from "./authenticate.ts";
import { isStaff } from "./viewer.ts";

/** The queue dashboard, created by jobs. It answers every request below its path, and changes nothing. */
export type Dashboard = (request: Request) => Promise<Response>;

type Guarded = {
  /** Without one, it is not found by anybody. */
  dashboard: Dashboard | undefined;
  answerNothing: () => Promise<Response>;
};

/** Answers a request for the queue dashboard. It is not found by anybody but admins and operators. */
export async function guardDashboard(
  deps: Deps,
  context: RequestContext,
  { dashboard, answerNothing }: Guarded,
): Promise<Response> {
  const { request } = context;
  const { viewer } = await authenticate(deps, context);
  if (dashboard !== undefined && isStaff(viewer)) return dashboard(request);
  if (!isSafeMethod(request)) throw notFound();
  return answerNothing();
}
