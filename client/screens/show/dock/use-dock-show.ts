import { useCallback, useEffect, useReducer } from "react";
import { type Api, ApiError, endingWith } from "#client/base/api/api.ts";
import { estimateServerTime, keepMeasuringServerTime } from "#client/base/live/clock.ts";
import { useSingleFlight } from "#client/base/live/single-flight.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useSessionMessages } from "#client/base/live/use-session-messages.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import type { DockShowAnswer } from "#src/show/docks/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { Show } from "../running/show-context.ts";
import { initialShowState, needsRefetch, reduceShowState, type ShowSnapshot } from "../running/show-state.ts";
import type { Hosting } from "../running/use-hosting.ts";
import { useRunningShow } from "../running/use-running-show.ts";

/** The cable does not carry changes of drafts. */
const LOOK_EVERY_MS = 3_000;

/** Only the control room knows who else is there. */
const nobodyElse: Hosting = { others: [], nameOf: ({ username }) => username };

/** What the dock shows. Undefined where `ended` was called: its link is not accepted any more. */
export async function fetchDock(
  api: Api,
  slug: string,
  ended: (text: string) => void,
): Promise<DockShowAnswer | undefined> {
  try {
    const answer = await api.get(`${sessionPath(slug)}/dock`);
    estimateServerTime(answer.serverTime);
    return answer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    ended(error.body?.detail ?? "");
    return undefined;
  }
}

type Dock = { api: Api; slug: string; first: DockShowAnswer; ended: (text: string) => void };

/** The show as the dock runs it: the state of the control room, kept live as there, without its audit. */
export function useDockShow({ api, slug, first, ended }: Dock): Show {
  const [state, dispatch] = useReducer(reduceShowState, snapshotOf(first), initialShowState);
  const refetch = useSingleFlight(async (signal) => {
    const answer = await fetchDock(endingWith(signal, api), slug, ended);
    if (answer !== undefined && !signal.aborted) dispatch({ kind: "snapshot", snapshot: snapshotOf(answer) });
  }, slug);
  useSessionMessages(state.session.id, {
    received: (message) => {
      dispatch({ kind: "message", message });
      if (needsRefetch(message)) refetch();
    },
    missed: refetch,
    rejected: refetch,
  });
  usePolling(refetch, { everyMs: LOOK_EVERY_MS, enabled: true, whenVisible: true });
  useEffect(() => keepMeasuringServerTime(() => undefined), []);
  const learn = useCallback((event: EventView) => dispatch({ kind: "acted", event }), []);
  const running = useRunningShow(slug, { state, renderedAt: first.serverTime, refetch, learn });
  return { ...running, hosting: nobodyElse };
}

function snapshotOf({ session, events, serverTime }: DockShowAnswer): ShowSnapshot {
  return { session, events, audit: [], fetchedAt: serverTime };
}
