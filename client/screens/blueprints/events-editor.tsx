import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { checkFields, previewOf, problemsOf } from "#client/blueprints/event-fields.ts";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { say } from "#src/http/contract.ts";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import { moveTogether } from "./change-several.ts";
import { useEditor } from "./editor-context.ts";
import { EventsTable, type TableEvent } from "./events-table.tsx";
import { panelLink } from "./panel.ts";
import { RemovedLately } from "./removed-lately.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { Timeline } from "./timeline.tsx";
import type { OrderState } from "./use-order.ts";

type Order = { move: (from: number, to: number) => void; arrange: (ids: readonly number[]) => void };
export function EventsEditor({ order }: { order: Order & { state: OrderState } }) {
  const { panel, chosen, choose, removals } = useEditor();
  const events = useTableEvents();
  const { move, moveBy, moved } = useAnnouncedMove(events, order);
  const blocks = useMemo(
    () => events.map((event) => ({ ...event, look: lookOf(event, panel) })),
    [events, panel],
  );
  const select = useSelect();
  if (events.length === 0) return <NoEvents />;
  return (
    <div className="stack editor-main">
      <Timeline events={blocks} select={select} />
      <section className="panel" aria-label={words.actions}>
        <header>
          <h2>{words.actions}</h2>
          <span className="small ink2 num">{`${events.length} of ${blueprintLimits.eventsMax}`}</span>
          <Link
            className="btn sm ghost"
            to={{ search: "?panel=several&chosen=all" }}
            defaultShouldRevalidate={false}
          >
            Edit all
          </Link>
          <span className="push small ink2" role="status">
            {orderTexts[order.state]}
          </span>
        </header>
        <EventsTable events={events} panel={panel} move={move} chosen={chosen} choose={choose} />
        <SelectionBar moveBy={moveBy} />
      </section>
      <RemovedLately removals={removals} />
      <p className="vh" role="status">
        {chosen.size === 0 ? "" : `${chosen.size} chosen`}
      </p>
      <p className="vh" aria-live="polite">
        {moved}
      </p>
    </div>
  );
}

const orderTexts: Record<OrderState, string> = {
  unchanged: "",
  saving: "Saving the order...",
  saved: "Order saved",
  waiting: "Not saved: the server cannot be reached. Trying again.",
  refused: "Somebody else changed this list. This is the list now; move again.",
};

/** Deferred, so that typing stays fast in a long list. */
function useTableEvents(): TableEvent[] {
  const { events, drafts: latestDrafts } = useEditor();
  const drafts = useDeferredValue(latestDrafts);
  return useMemo(
    () =>
      events.map((event) => {
        const draft = drafts.get(String(event.id));
        const problem = draft === undefined ? "" : (problemsOf(checkFields(draft)).at(0) ?? "");
        return { ...previewOf(event, draft), problem, unsaved: draft !== undefined };
      }),
    [events, drafts],
  );
}

function useSelect(): (id: number) => void {
  const navigate = useNavigate();
  const go = useRef(navigate);
  useEffect(() => {
    go.current = navigate;
  });
  return useCallback((id) => {
    const { to, ...options } = panelLink(String(id));
    void go.current(to, options);
  }, []);
}

/** Announces a moved row's new position, and scrolls it into view. */
function useAnnouncedMove(events: readonly TableEvent[], { move, arrange }: Order) {
  const { chosen } = useEditor();
  const [last, setLast] = useState<{ id: number; text: string } | null>(null);
  const announcedMove = useCallback(
    (from: number, to: number) => {
      const event = events[from];
      if (event === undefined) return;
      setLast({ id: event.id, text: say`${event.title}: now ${to + 1} of ${events.length}.` });
      move(from, to);
    },
    [events, move],
  );
  useEffect(() => {
    if (last !== null) document.querySelector(`#event-${last.id}`)?.scrollIntoView({ block: "nearest" });
  }, [last]);
  const moveBy = (by: -1 | 1) => {
    const order = moveTogether(
      events.map(({ id }) => id),
      chosen,
      by,
    );
    const first = order.findIndex((id) => chosen.has(id));
    setLast({
      id: order[first] ?? 0,
      text: `${countOf(chosen.size, "action")} moved: now from ${first + 1} on.`,
    });
    arrange(order);
  };
  return { move: announcedMove, moveBy, moved: last?.text ?? "" };
}

function lookOf({ id, problem }: TableEvent, panel: string): "" | "sel" | "bad" {
  if (problem !== "") return "bad";
  return String(id) === panel ? "sel" : "";
}

function NoEvents() {
  const { removals } = useEditor();
  return (
    <section className="panel editor-main">
      <EmptyState icon="slip" title="No actions yet">
        <p>Paste a list, one question a line, or write them one by one.</p>
        <div className="row wrap">
          <Link className="btn primary" {...panelLink("paste")}>
            {words.pasteInBulk}
          </Link>
          <Link className="btn" {...panelLink("new")}>
            {words.newAction}
          </Link>
        </div>
      </EmptyState>
      <RemovedLately removals={removals} />
    </section>
  );
}
