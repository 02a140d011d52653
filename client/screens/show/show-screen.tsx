import { useMemo } from "react";
import { useActionData, useLoaderData } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { originalPlan, outlook } from "#client/running-order/schedule.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { useHere } from "#client/ui/use-here.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { useArming } from "./arming/use-arming.ts";
import { Composer } from "./composer.tsx";
import { SideButton, SideColumn } from "./health/side-column.tsx";
import { useDrawer } from "./health/use-drawer.ts";
import { useHealth } from "./health/use-health.ts";
import { useWaiting } from "./health/use-waiting.ts";
import { useHosting } from "./hosting/use-hosting.ts";
import type { ShowPage } from "./load-show.ts";
import { RunOfShow } from "./run-of-show.tsx";
import { SessionDeck } from "./session-deck.tsx";
import { ShowContext, useShow } from "./show-context.ts";
import { eventsWithPools } from "./show-state.ts";
import { Stage } from "./stage/stage.tsx";
import { useHotkeys } from "./stage/use-hotkeys.ts";
import { useStage } from "./stage/use-stage.ts";
import { StartButton } from "./start/start-button.tsx";
import { useChecks } from "./start/use-checks.ts";
import * as texts from "./texts/form-texts.ts";
import { useActing } from "./use-acting.ts";
import { useLiveShow } from "./use-live-show.ts";
import { useEarlyUndo } from "./verdict/use-early-undo.ts";

/** The session's Admin tab: the running order, the event on the stage, and everything that can be done to both. */
export function ShowScreen() {
  const slug = useHere().session?.slug ?? "";
  // The key resets all state when another session is opened.
  return <Show key={slug} slug={slug} />;
}

function Show({ slug }: { slug: string }) {
  const { state, renderedAt, refetch, learn } = useLiveShow();
  const { session, audit, fetchedAt } = state;
  const events = useMemo(() => eventsWithPools(state), [state]);
  const planned = useMemo(() => originalPlan(session, events), [session, events]);
  const stage = useStage(events);
  const acting = useActing({ slug, events, fetchedAt, refetch, learn });
  const arming = useArming({ session, events, busy: acting.busy }, stage.onStage);
  const { armed } = arming;
  const earlyUndo = useEarlyUndo({ events, viewerId: useViewer()?.id }, acting);
  const hosting = useHosting(
    session,
    useLoaderData<ShowPage>().hosting,
    armed === null ? null : { eventId: armed.event.id, act: armed.act },
  );
  useHotkeys(shownOf(session, stage.onStage, arming.lost));
  const refused = useActionData<Refused>();
  const show = {
    session,
    events,
    audit,
    fetchedAt,
    renderedAt,
    planned,
    outlook: outlook(session, events, planned),
    ...stage,
    acting,
    arming,
    earlyUndo,
    hosting,
  };
  return (
    <ShowContext value={show}>
      <main className="show" id="main" tabIndex={-1} data-takes-keys="">
        <Room refusal={acting.refusal ?? refused?.refusal ?? null} />
      </main>
    </ShowContext>
  );
}

/** Differs after each change of what the keys act on. */
function shownOf({ state }: SessionView, onStage: EventView | null, lost: number): string {
  return `${state} ${onStage?.id} ${onStage?.state} ${lost}`;
}

/** The header and the three columns. */
function Room({ refusal }: { refusal: string | null }) {
  const { acting } = useShow();
  const health = useHealth();
  const drawer = useDrawer();
  const waiting = useWaiting();
  const { checks, activeElsewhere } = useChecks();
  return (
    <>
      <SessionDeck start={<StartButton checks={checks} activeElsewhere={activeElsewhere} />}>
        <SideButton health={health} drawer={drawer} waiting={waiting} />
      </SessionDeck>
      <div className="stage-col">
        {refusal === null ? null : <Note tone="bad">{refusal}</Note>}
        {acting.answersAgain ? <Note>{texts.answersAgain}</Note> : null}
        <Stage pace={health.view?.pace ?? null} />
      </div>
      <div className="run-col">
        <RunOfShow />
        <Composer />
      </div>
      <SideColumn health={health} drawer={drawer} checks={checks} waiting={waiting} />
    </>
  );
}
