import { useEffect, useMemo } from "react";
import { useActionData } from "react-router";
import { useHere } from "../frame/use-here.ts";
import type { Refused } from "../refused.ts";
import { Note } from "../ui/note.tsx";
import { AuditPanel } from "./audit-panel.tsx";
import { Composer } from "./composer.tsx";
import { RunOfShow } from "./run-of-show.tsx";
import { originalPlan, outlook } from "./schedule.ts";
import { SessionDeck } from "./session-deck.tsx";
import { ShowContext } from "./show-context.ts";
import { eventsWithPools } from "./show-state.ts";
import { Stage } from "./stage.tsx";
import { UndoBar } from "./undo-bar.tsx";
import { useActing } from "./use-acting.ts";
import { useLiveShow } from "./use-live-show.ts";
import { useStage } from "./use-stage.ts";

/** The session's Admin tab: the running order, the event on the stage, and everything that can be done to both. */
export function ShowScreen() {
  const slug = useHere().session?.slug ?? "";
  // The key resets all state when another session is opened.
  return <Show key={slug} slug={slug} />;
}

function Show({ slug }: { slug: string }) {
  const { state, renderedAt, refetch } = useLiveShow();
  const { session, audit, fetchedAt } = state;
  const events = useMemo(() => eventsWithPools(state), [state]);
  const planned = useMemo(() => originalPlan(session, events), [session, events]);
  const stage = useStage(events);
  const acting = useActing(slug, refetch);
  useHotkeys();
  const refused = useActionData<Refused>();
  const refusal = acting.refusal ?? refused?.refusal ?? null;
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

/**
 * A key clicks the button with that `data-key`, wherever the focus is. Not while typing, in a dialog, with a modifier key, or
 * on key repeat.
 */
function useHotkeys(): void {
  useEffect(() => {
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** Names in `data-key` that differ from `event.key`. */
const keyNames: Record<string, string> = { " ": "Space", "+": "Plus" };

function press(event: KeyboardEvent): void {
  if (event.repeat || event.metaKey || event.ctrlKey || event.altKey || isUsedElsewhere(event)) return;
  const name = CSS.escape(keyNames[event.key] ?? event.key.toUpperCase());
  const button = document.querySelector<HTMLElement>(`main [data-key="${name}"]:not([aria-disabled="true"])`);
  if (button === null) return;
  event.preventDefault();
  button.click();
}

/** True where the key has its usual meaning: in a field, in a dialog, and the space bar on a focused control. */
function isUsedElsewhere({ key, target }: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open], :popover-open") !== null) return true;
  const keyUsers = key === " " ? "input, textarea, select, a, button, summary" : "input, textarea, select";
  return target instanceof Element && target.closest(keyUsers) !== null;
}
