import { useRef, useState } from "react";
import { useActionData } from "react-router";
import { useServerTime } from "../clock.ts";
import { serverNow } from "../clock.ts";
import { useViewer } from "../context.ts";
import { useHere } from "../frame/use-here.ts";
import { WatcherRow } from "../guest/watcher-row.tsx";
import { useSync } from "../sync.ts";
import type { ActionRefusal } from "./act-on-action.ts";
import { Announcer } from "./announcer.tsx";
import { EventCard } from "./event-card.tsx";
import { Forms } from "./forms.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { Rail } from "./rail.tsx";
import { type Phase, phases, sceneAt } from "./scene.ts";
import { Sides } from "./sides.tsx";
import { cancellableCall, standingOn } from "./standing.ts";
import type { Table } from "./table.ts";
import { Ticker } from "./ticker.tsx";
import { useKeys } from "./use-keys.ts";
import { usePlacing } from "./use-placing.ts";
import { useTable } from "./use-table.ts";
import { useWager } from "./use-wager.ts";
import { type View, ViewContext } from "./view.ts";
import { WagerRow } from "./wager-row.tsx";

/** The live screen: the question, the clock, the pool, and the two sides under the thumb. */
export function ActionScreen() {
  const slug = useHere().session?.slug;
  // Another session is another screen: nothing of the one before may stay.
  return <Live key={slug} />;
}

function Live() {
  const { table, data, takeCall } = useTable();
  const { event, phase } = useScene(table, data.serverTime);
  const offline = useSync() === "offline";
  const wager = useWager();
  const placing = usePlacing(takeCall);
  const refused = useActionData<ActionRefusal>()?.refusal ?? null;
  const [helping, setHelping] = useState(false);
  const sides = useRef<HTMLDivElement>(null);
  const watching = useViewer() === null;
  const playable = (phase === "open" || phase === "closing") && !offline && !watching;
  useKeys({
    focusSide: (side) => sides.current?.querySelector<HTMLElement>(`.side.${side}`)?.focus(),
    stepWager: wager.step,
    cancel: () => {
      const call = event === null ? null : cancellableCall(event, serverNow());
      if (call !== null && playable) void placing.cancel(call);
    },
    help: () => setHelping(true),
  });
  const view: View = {
    table,
    data,
    event,
    phase,
    offline,
    watching,
    playable,
    standing: event === null ? null : standingOn(event),
    placing: { ...placing, refusal: placing.refusal ?? refused },
    wager,
  };
  return (
    <ViewContext value={view}>
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
      <Rail />
    </ViewContext>
  );
}

/** The scene now; drawn again when another event or another phase begins, not with every tick. */
function useScene(table: Table, renderedAt: string): { event: View["event"]; phase: Phase } {
  const key = useServerTime((nowMs) => {
    const scene = sceneAt(table, nowMs);
    return `${scene.event?.id ?? 0}:${scene.phase}`;
  }, renderedAt);
  const [id, name] = key.split(":");
  return {
    event: table.events.find((event) => event.id === Number(id)) ?? null,
    phase: phases.find((phase) => phase === name) ?? "waiting",
  };
}
