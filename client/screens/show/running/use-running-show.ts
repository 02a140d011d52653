import { useMemo } from "react";
import { useViewer } from "#client/base/page/context.ts";
import { originalPlan, outlook } from "#client/running-order/schedule.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { useStage } from "./on-stage.ts";
import type { Show } from "./show-context.ts";
import { eventsWithPools, type ShowState } from "./show-state.ts";
import { useActing } from "./use-acting.ts";
import { useArming, useEarlyUndo } from "./use-arming.ts";

export type LiveShow = {
  state: ShowState;
  /** When the server rendered the page; until the page is hydrated all times are computed from it. */
  renderedAt: string;
  refetch: () => void;
  /** Takes an event from the answer to an act of the viewer: what can be undone is seen as soon as that is known. */
  learn: (event: EventView) => void;
};

/** What the control room and a dock need to run a show; who else does is known to the control room alone. */
export function useRunningShow(
  slug: string,
  { state, renderedAt, refetch, learn }: LiveShow,
): Omit<Show, "hosting"> {
  const { session, audit, fetchedAt } = state;
  const events = useMemo(() => eventsWithPools(state), [state]);
  const planned = useMemo(() => originalPlan(session, events), [session, events]);
  const stage = useStage(events);
  const acting = useActing({ slug, events, fetchedAt, refetch, learn });
  const arming = useArming({ session, events, busy: acting.busy }, stage.onStage);
  const earlyUndo = useEarlyUndo({ events, viewerId: useViewer()?.id }, acting);
  const known = { session, events, audit, fetchedAt, renderedAt, planned };
  return { ...known, outlook: outlook(session, events, planned), ...stage, acting, arming, earlyUndo };
}
