import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from "react";
import * as texts from "#client/running-order/show-texts.ts";
import { dragRow } from "#client/ui/drag-row.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { RUN_HINT_ID, RunRow } from "./run-row.tsx";
import { useShow } from "./show-context.ts";
import { isAhead } from "./stage/on-stage.ts";
import { useRunningOrder } from "./use-running-order.ts";

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
