import { useEffect, useState } from "react";
import type { Api } from "#client/base/api/api.ts";
import { listen } from "#client/base/live/cable.ts";
import { estimateServerTime } from "#client/base/live/clock.ts";
import { singleFlight } from "#client/base/live/single-flight.ts";
import { useApi, usePage } from "#client/base/page/context.ts";
import { type ActionState, initialActionState, reduceActionState } from "#client/events/action-state.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import { EVENTS_SHOWN } from "#src/show/events/contract.ts";
import { useLiveWords } from "./live-line.tsx";
import { liveTexts } from "./phone-texts.ts";

type Live = { id: number; slug: string };

/** How the live game stands, on other pages: "Live: closes in 0:12", and its question. */
export function LiveState({ id, slug }: Live) {
  const state = useLiveState({ id, slug });
  return state === null ? <b>{liveTexts.live}</b> : <Words state={state} />;
}

function Words({ state }: { state: ActionState }) {
  const { title, words } = useLiveWords(state, state.asOf);
  return (
    <>
      {/* One line each: the bar keeps its height, and the page below it its place. */}
      <span className="small num clip">{liveTexts.liveNow(words)}</span>
      <b className="clip">{title}</b>
    </>
  );
}

/** The session and its events, as the cable reports them; null until they have arrived. */
function useLiveState({ id, slug }: Live): ActionState | null {
  const api = useApi();
  const { cableUrl } = usePage();
  const [state, setState] = useState<ActionState | null>(null);
  useEffect(() => {
    const unmounted = new AbortController();
    const { signal } = unmounted;
    // The messages may say more than an answer that was sent before them: the reducer keeps the newer of both.
    const refetch = singleFlight(signal, async () => {
      const loaded = await fetchState(api, slug, signal);
      if (signal.aborted) return;
      setState((known) =>
        known === null ? loaded : reduceActionState(known, { kind: "snapshot", snapshot: loaded }),
      );
    });
    const received = (message: SessionMessage) => {
      if (message.sourceType !== "Event" && message.sourceType !== "Session") return;
      setState((known) => (known === null ? null : reduceActionState(known, { kind: "message", message })));
    };
    const stop = listen(
      cableUrl,
      { channel: "SessionsChannel", id: String(id), offset: null },
      { connected: refetch, missed: refetch, received },
    );
    refetch();
    return () => {
      unmounted.abort();
      stop();
    };
  }, [api, cableUrl, id, slug]);
  return state;
}

async function fetchState(api: Api, slug: string, signal: AbortSignal): Promise<ActionState> {
  const path = sessionPath(slug);
  const [{ session }, { events, meta }] = await Promise.all([
    api.get(path, { signal }),
    api.get(`${path}/events`, { query: { perPage: EVENTS_SHOWN }, signal }),
  ]);
  estimateServerTime(meta.serverTime);
  return initialActionState({
    session,
    events,
    nextSession: null,
    leaders: [],
    me: null,
    playersCount: 0,
    asOf: meta.serverTime,
  });
}
