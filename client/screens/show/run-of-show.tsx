import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { moveItem } from "#client/base/format/move-item.ts";
import { serverNow } from "#client/base/live/clock.ts";
import * as texts from "#client/running-order/show-texts.ts";
import { dragRow } from "#client/ui/drag-row.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import type { EventView } from "#src/show/events/schemas.ts";
import { orderFields } from "./order-fields.ts";
import { RUN_HINT_ID, RunRow } from "./run-row.tsx";
import { useShow } from "./show-context.ts";
import { isAhead } from "./stage/on-stage.ts";

/** Selects the rows that can be moved. */
const MOVABLE_ROWS = "li[data-ahead]";
const steps: Record<string, -1 | 1 | undefined> = { ArrowUp: -1, ArrowDown: 1 };

/** The running order, from the first event to the last. Events that have not opened can be dragged, or moved with Alt and arrows. */
export function RunOfShow() {
  const { onStage } = useShow();
  const { events, move } = useRunningOrder();
  const ahead = events.filter(isAhead);
  const number = onStage === null ? 0 : events.findIndex(({ id }) => id === onStage.id) + 1;
  const moveByKey = (press: KeyboardEvent) => {
    const step = steps[press.key];
    const from = ahead.findIndex(({ id }) => id === idAt(press.target));
    if (step === undefined || !press.altKey || from < 0) return;
    press.preventDefault();
    move(from, from + step);
  };
  const drag = ({ nativeEvent: press, currentTarget }: PointerEvent<HTMLOListElement>) => {
    const grip = press.target instanceof Element ? press.target.closest<HTMLElement>("[data-grip]") : null;
    if (grip === null || press.button !== 0) return;
    dragRow(
      { grip, start: press, rows: [...currentTarget.querySelectorAll<HTMLElement>(MOVABLE_ROWS)] },
      move,
    );
  };
  const list = useRef<HTMLOListElement>(null);
  useKeepInView(list, onStage?.id ?? null);
  return (
    <Panel title={texts.runOfShow} aside={texts.numberOf(number, events.length)}>
      <ol className="run" aria-label={texts.runOfShow} ref={list} onKeyDown={moveByKey} onPointerDown={drag}>
        {events.map((event, index) => (
          <RunRow key={event.id} event={event} number={index + 1} />
        ))}
      </ol>
      <p className="vh" id={RUN_HINT_ID}>
        {texts.reorderHint}
      </p>
    </Panel>
  );
}

/** Keeps the event on stage visible where the list scrolls by itself. It never scrolls the page. */
function useKeepInView(list: RefObject<HTMLOListElement | null>, eventId: number | null): void {
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>(`[data-event="${eventId}"]`);
    if (list.current === null || row == null) return;
    const top = row.offsetTop - list.current.offsetTop;
    const above = top < list.current.scrollTop;
    const below = top + row.offsetHeight > list.current.scrollTop + list.current.clientHeight;
    if (above || below) list.current.scrollTo({ top: top - list.current.clientHeight / 3 });
  }, [list, eventId]);
}

function idAt(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-event]") : null;
  return row === null ? null : Number(row.dataset["event"]);
}

/** An order that the viewer has made. `doneMs`: the server's time when it was saved; null until then. */
type RequestedOrder = { ids: readonly number[]; doneMs: number | null };

type RunningOrder = {
  /** All events; those that have not opened in the order that the viewer has made last. */
  events: readonly EventView[];
  /** Moves an event; both are indexes among the events that have not opened. */
  move: (from: number, to: number) => void;
};

/** The running order on the page. A move is visible at once and saved in the background; the last one wins. */
function useRunningOrder(): RunningOrder {
  const { events: known, fetchedAt, acting } = useShow();
  const [requested, setRequested] = useState<RequestedOrder | null>(null);
  const ids = requested !== null && isNewer(requested, fetchedAt) ? requested.ids : null;
  const events = useMemo(() => (ids === null ? known : inOrder(known, ids)), [known, ids]);
  const unsent = useRef<readonly number[] | null>(null);
  const sending = useRef(false);
  const { act } = acting;
  const send = useCallback(async () => {
    if (sending.current) return;
    sending.current = true;
    for (let next = takeUnsent(unsent); next !== null; next = takeUnsent(unsent)) {
      const done = await act(formOf(orderFields(next)));
      // A refusal also discards the moves that were based on the refused one.
      if (!done) takeUnsent(unsent);
      setRequested((latest) => {
        if (!done) return null;
        return latest?.ids === next ? { ids: latest.ids, doneMs: serverNow() } : latest;
      });
    }
    sending.current = false;
  }, [act]);
  const move = (from: number, to: number) => {
    const ahead = events.filter(isAhead).map(({ id }) => id);
    if (ahead[from] === undefined || to < 0 || to >= ahead.length || to === from) return;
    const next = moveItem(ahead, from, to);
    unsent.current = next;
    setRequested({ ids: next, doneMs: null });
    void send();
  };
  return { events, move };
}

/** True until a fetch has returned the saved order. */
function isNewer({ doneMs }: RequestedOrder, fetchedAt: string): boolean {
  return doneMs === null || Date.parse(fetchedAt) < doneMs;
}

function takeUnsent(unsent: { current: readonly number[] | null }): readonly number[] | null {
  const ids = unsent.current;
  unsent.current = null;
  return ids;
}

/** Puts the events that have not opened into the given order; the others keep their positions. */
function inOrder(events: readonly EventView[], ids: readonly number[]): EventView[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  const ahead = ids.flatMap((id) => byId.get(id) ?? []).filter(isAhead);
  const missing = events.filter((event) => isAhead(event) && !ids.includes(event.id));
  const next = [...ahead, ...missing].values();
  return events.map((event) => (isAhead(event) ? (next.next().value ?? event) : event));
}

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
