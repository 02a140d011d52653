import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useActionData, useRouteLoaderData } from "react-router";
import { useServerTime, serverNow } from "../clock.ts";
import { useSync } from "../connection.ts";
import { useViewer } from "../context.ts";
import { SESSION_ROUTE } from "../frame/use-here.ts";
import { WatcherRow } from "../guest/watcher-row.tsx";
import type { SessionData } from "../sessions/load-session.ts";
import { useWallet } from "../wallet/wallet-state.tsx";
import type { ActionRefusal } from "./act-on-action.ts";
import type { ActionState } from "./action-state.ts";
import { Announcer } from "./announcer.tsx";
import { type Phase, phases, currentEventAt } from "./current-event.ts";
import { EventCard } from "./event-card.tsx";
import { Forms } from "./forms.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { Rail } from "./rail.tsx";
import { placeCall, Sides } from "./sides.tsx";
import { Ticker } from "./ticker.tsx";
import { useKeys } from "./use-keys.ts";
import { useLiveAction } from "./use-live-action.ts";
import { usePlacing } from "./use-placing.ts";
import { useWager } from "./use-wager.ts";
import { type ActionHandlers, HandlersContext, type View, ViewContext } from "./view.ts";
import { cancellableCall, viewerCallsOn } from "./viewer-calls.ts";
import { useWagerMax, WagerRow } from "./wager-row.tsx";

/** The live screen: the question, the clock, the pool, and the two sides under the thumb. */
export function ActionScreen() {
  const slug = useRouteLoaderData<SessionData>(SESSION_ROUTE)?.session.slug;
  // The key resets all state when another session is opened.
  return <Live key={slug} />;
}

function Live() {
  const { state, data, applyCall } = useLiveAction();
  const { event, phase } = useCurrentEvent(state, data.serverTime);
  const sync = useSync();
  const refused = sync === "refused";
  const offline = sync === "offline" || refused;
  const wager = useWager();
  const placing = usePlacing(applyCall);
  const refusal = useActionData<ActionRefusal>()?.refusal ?? null;
  const [helping, setHelping] = useState(false);
  const sides = useRef<HTMLDivElement>(null);
  const watching = useViewer() === null;
  const playable = (phase === "open" || phase === "closing") && !offline && !watching;
  useKeys({
    focusSide: (side) => sides.current?.querySelector<HTMLElement>(`.side.${side}`)?.focus(),
    stepWager: wager.step,
    cancel: () => {
      const call = event === null ? null : cancellableCall(event, state.session.pausedAt, serverNow());
      if (call !== null && !offline) void placing.cancel(call);
    },
    help: () => setHelping(true),
  });
  const view: View = {
    state,
    data,
    event,
    phase,
    offline,
    refused,
    watching,
    playable,
    viewerCalls: event === null ? null : viewerCallsOn(event),
    placing: { ...placing, refusal: placing.refusal ?? refusal },
    wager,
  };
  return (
    <ViewContext value={view}>
      <Handlers view={view}>
        <main>
          <div className="card-slot" id="main" tabIndex={-1}>
            <EventCard />
          </div>
          {watching ? <WatcherRow /> : <WagerRow />}
          <Sides group={sides} />
          <Ticker />
          <Forms />
          <Announcer />
          <HelpDialog open={helping} onClose={() => setHelping(false)} />
        </main>
        {/* Below the first screen of a phone, so it is hydrated in a task of its own. */}
        <Suspense>
          <Rail />
        </Suspense>
      </Handlers>
    </ViewContext>
  );
}

/**
 * What the buttons do, for the parts that do not read the view. The handlers stay the same, so that a press renders only what it
 * changes.
 */
function Handlers({ view, children }: { view: View; children: ReactNode }) {
  const { availableCents } = useWallet();
  const maxCents = useWagerMax(view);
  const latest = useRef({ view, availableCents, maxCents });
  useEffect(() => {
    latest.current = { view, availableCents, maxCents };
  });
  const [handlers] = useState<ActionHandlers>(() => ({
    call: (side) => placeCall(latest.current.view, side, latest.current.availableCents),
    setWager: (cents) => latest.current.view.wager.set(cents),
    stepWager: (direction) => latest.current.view.wager.step(direction),
    wagerAll: () => latest.current.view.wager.set(latest.current.maxCents),
    refuse: (reason) => latest.current.view.placing.refuse(reason),
  }));
  return <HandlersContext value={handlers}>{children}</HandlersContext>;
}

/** The current event and its phase. Renders again when one of them changes, not with every tick of the clock. */
function useCurrentEvent(state: ActionState, renderedAt: string): { event: View["event"]; phase: Phase } {
  const key = useServerTime((nowMs) => {
    const current = currentEventAt(state, nowMs);
    return `${current.event?.id ?? 0}:${current.phase}`;
  }, renderedAt);
  const [id, name] = key.split(":");
  return {
    event: state.events.find((event) => event.id === Number(id)) ?? null,
    phase: phases.find((phase) => phase === name) ?? "waiting",
  };
}
