import { type KeyboardEvent, memo, type MouseEvent, type PointerEvent, useRef } from "react";
import { Form } from "react-router";
import * as texts from "#client/blueprints/editor-texts.ts";
import { startText } from "#client/blueprints/plan-times.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { dragRow } from "#client/ui/drag-row.ts";
import type { BlueprintEventView } from "#src/show/blueprints/schemas.ts";
import { EventColumnHeadings } from "./event-columns.tsx";
import { EventRow, MOVE_FORM, MOVE_HELP } from "./event-row.tsx";
import { CHOOSE_ALL } from "./selection-bar.tsx";

/** An event with its unsaved changes, and the first error in them. */
export type TableEvent = BlueprintEventView & { problem: string; unsaved: boolean };

type EventsTableProps = {
  events: readonly TableEvent[];
  panel: string;
  move: (from: number, to: number) => void;
  chosen: ReadonlySet<number>;
  choose: (ids: ReadonlySet<number>) => void;
};

const steps: Record<string, -1 | 1> = { ArrowUp: -1, ArrowDown: 1 };

/** All events in their order. A row is moved by dragging its grip, with Alt and the arrow keys, or with its buttons. */
export const EventsTable = memo(function EventsTable({ events, panel, move, ...choice }: EventsTableProps) {
  const step = (target: EventTarget, by: number) => {
    const from = events.findIndex(({ id }) => id === idAt(target));
    const to = from + by;
    if (from >= 0 && to >= 0 && to < events.length) move(from, to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = steps[event.key];
    if (by === undefined || !event.altKey) return;
    event.preventDefault();
    step(event.target, by);
  };
  const pick = usePicking(events, choice);
  const onClick = (event: MouseEvent) => {
    const box = closest(event.target, "[data-pick]");
    if (box !== null) return pick(idAt(box), event.shiftKey);
    const by = Number(closest(event.target, "[data-by]")?.dataset["by"] ?? 0);
    if (by === 0) return;
    event.preventDefault();
    step(event.target, by);
  };
  const onPointerDown = ({ nativeEvent: event, currentTarget }: PointerEvent<HTMLTableSectionElement>) => {
    const grip = event.target === null ? null : closest(event.target, "[data-grip]");
    if (grip === null || event.button !== 0) return;
    dragRow({ grip, start: event, rows: [...currentTarget.rows] }, move);
  };
  return (
    <>
      <MoveForm panel={panel} />
      <p className="vh" id={MOVE_HELP}>
        {texts.moveHint}
      </p>
      <table className="table events">
        <Head events={events} {...choice} />
        <tbody onKeyDown={onKeyDown} onClick={onClick} onPointerDown={onPointerDown}>
          {events.map((event, index) => (
            <EventRow
              key={event.id}
              id={event.id}
              position={index + 1}
              count={events.length}
              title={event.title}
              trueLabel={event.trueLabel}
              falseLabel={event.falseLabel}
              starts={startText(event, index + 1)}
              seconds={event.durationSeconds}
              problem={event.problem}
              selected={String(event.id) === panel}
              unsaved={event.unsaved}
              chosen={choice.chosen.has(event.id)}
            />
          ))}
        </tbody>
      </table>
    </>
  );
});

type Choice = Pick<EventsTableProps, "chosen" | "choose">;

/** @returns chooses an event or does not any more; with Shift all from the last one to it. */
function usePicking(events: readonly TableEvent[], { chosen, choose }: Choice) {
  const last = useRef<number | null>(null);
  return (id: number, isRange: boolean) => {
    const next = new Set(chosen);
    const [from, to] = [
      events.findIndex((event) => event.id === last.current),
      events.findIndex((event) => event.id === id),
    ];
    const start = isRange && from >= 0 ? from : to;
    const isOn = !chosen.has(id);
    for (const event of events.slice(Math.min(start, to), Math.max(start, to) + 1))
      if (isOn) next.add(event.id);
      else next.delete(event.id);
    last.current = id;
    choose(next);
  };
}

function Head({ events, chosen, choose }: Choice & { events: readonly TableEvent[] }) {
  const all = events.length > 0 && events.every(({ id }) => chosen.has(id));
  return (
    <thead>
      <tr>
        <th scope="col" className="grip-cell">
          <span className="vh">{texts.grip}</span>
        </th>
        <EventColumnHeadings
          first={
            <label className="pick with-script">
              <input
                type="checkbox"
                id={CHOOSE_ALL}
                aria-label={texts.chooseAll}
                checked={all}
                onChange={() => choose(new Set(all ? [] : events.map(({ id }) => id)))}
              />
            </label>
          }
        />
        <th scope="col" className="move-cell">
          <span className="vh">{texts.moveColumn}</span>
        </th>
      </tr>
    </thead>
  );
}

/** The form that the rows' buttons submit without JavaScript. */
function MoveForm({ panel }: { panel: string }) {
  return (
    <Form method="post" id={MOVE_FORM} hidden>
      <CsrfField />
      <input type="hidden" name="intent" value="move_event" />
      <input type="hidden" name="panel" value={panel} />
    </Form>
  );
}

function idAt(target: EventTarget): number {
  return Number(closest(target, "[data-id]")?.dataset["id"] ?? Number.NaN);
}

function closest(target: EventTarget, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null;
}
