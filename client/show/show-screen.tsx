import { useMemo } from "react";
import { useActionData } from "react-router";
import { useHere } from "../frame/use-here.ts";
import type { Refused } from "../refused.ts";
import { Note } from "../ui/note.tsx";
import { AuditPanel } from "./audit-panel.tsx";
import { eventsOn } from "./board.ts";
import { Composer } from "./composer.tsx";
import { RunOfShow } from "./run-of-show.tsx";
import { originalPlan, outlook } from "./schedule.ts";
import { SessionDeck } from "./session-deck.tsx";
import { ShowContext } from "./show-context.ts";
import { Stage } from "./stage.tsx";
import { UndoBar } from "./undo-bar.tsx";
import { useActing } from "./use-acting.ts";
import { useBoard } from "./use-board.ts";
import { useHotkeys } from "./use-hotkeys.ts";
import { useStage } from "./use-stage.ts";

/** The session's Admin tab: the running order, what is on the air, and everything that can be done about it. */
export function ShowScreen() {
  const slug = useHere().session?.slug ?? "";
  // Another session is another screen: nothing of the one before may stay.
  return <Room key={slug} slug={slug} />;
}

function Room({ slug }: { slug: string }) {
  const { board, renderedAt, lookAgain } = useBoard();
  const { session, audit, seenAt } = board;
  const events = useMemo(() => eventsOn(board), [board]);
  const planned = useMemo(() => originalPlan(session, events), [session, events]);
  const stage = useStage(events);
  const acting = useActing(slug, lookAgain);
  useHotkeys();
  const refused = useActionData<Refused>();
  const refusal = acting.refusal ?? refused?.refusal ?? null;
  const show = {
    session,
    events,
    audit,
    seenAt,
    renderedAt,
    planned,
    outlook: outlook(session, events, planned),
    ...stage,
    acting,
  };
  return (
    <ShowContext value={show}>
      <main className="show" id="main" tabIndex={-1}>
        <SessionDeck />
        <div className="stage-col">
          {refusal === null ? null : <Note tone="bad">{refusal}</Note>}
          <UndoBar />
          <Stage />
        </div>
        <div className="run-col">
          <RunOfShow />
          <Composer />
        </div>
        <div className="audit-col">
          <AuditPanel />
        </div>
      </main>
    </ShowContext>
  );
}
