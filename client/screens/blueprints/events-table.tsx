import { type KeyboardEvent, memo, type MouseEvent, type PointerEvent, useRef } from "react";
import { Link } from "react-router";
import * as words from "#client/base/format/words.ts";
import { moreTexts } from "#client/blueprints/more-texts.ts";
import { startText } from "#client/blueprints/plan-times.ts";
import { dragRow } from "#client/ui/drag-row.ts";
import { PostForm } from "#client/ui/forms/post-form.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { say } from "#src/http/contract.ts";
import type { BlueprintEventView } from "#src/show/blueprints/schemas.ts";
import { EventColumnHeadings, TermCells } from "./event-columns.tsx";
import { panelLink } from "./panel.ts";
import { CHOICE_FORM, CHOOSE_ALL } from "./selection-bar.tsx";

/** Id of the hidden form of all rows' buttons. */
const MOVE_FORM = "move-event";

/** Id of the text that explains how to move a row; describes every grip. */
const MOVE_HELP = "move-help";

/** One event in the editor's table. The table handles its events; see events-table.tsx. */
const EventRow = memo(function EventRow(row: EventRowProps) {
  const { id, position, title, selected } = row;
  return (
    <tr id={`event-${id}`} data-id={id} className={selected ? "sel" : undefined}>
      <td className="grip-cell">
        <button
          className="grip"
          type="button"
          data-grip=""
          aria-label={`Move action ${position}, ${title}`}
          aria-describedby={MOVE_HELP}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        >
          <Icon name="grip" />
        </button>
      </td>
      <td className="num muted pick-cell">
        <label className="pick">
          <input
            type="checkbox"
            name="chosen"
            value={id}
            form={CHOICE_FORM}
            checked={row.chosen}
            onChange={ignore}
            data-pick=""
            aria-label={`Choose action ${position}, ${title}`}
          />
          {position}
        </label>
      </td>
      <td className="question">
        <Question {...row} />
      </td>
      <TermCells {...row} />
      <td className="move-cell">
        <MoveButton row={row} by={-1} />
        <MoveButton row={row} by={1} />
      </td>
    </tr>
  );
});

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
        {moreTexts.moveHint}
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
          <span className="vh">Grip</span>
        </th>
        <EventColumnHeadings
          first={
            <label className="pick with-script">
              <input
                type="checkbox"
                id={CHOOSE_ALL}
                aria-label="Choose all"
                checked={all}
                onChange={() => choose(new Set(all ? [] : events.map(({ id }) => id)))}
              />
            </label>
          }
        />
        <th scope="col" className="move-cell">
          <span className="vh">Move</span>
        </th>
      </tr>
    </thead>
  );
}

/** The form that the rows' buttons submit without JavaScript. */
function MoveForm({ panel }: { panel: string }) {
  return <PostForm id={MOVE_FORM} hidden fields={{ intent: "move_event", panel }} />;
}

function idAt(target: EventTarget): number {
  return Number(closest(target, "[data-id]")?.dataset["id"] ?? Number.NaN);
}

function closest(target: EventTarget, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null;
}

type EventRowProps = {
  id: number;
  position: number;
  count: number;
  title: string;
  trueLabel: string;
  falseLabel: string;
  starts: string;
  seconds: number;
  /** The first error; empty if there is none. */
  problem: string;
  selected: boolean;
  unsaved: boolean;
  chosen: boolean;
};

function Question({ id, title, problem, selected, unsaved, ...row }: EventRowProps) {
  return (
    <>
      <Link {...panelLink(String(id))} className={problem === "" ? "" : "wrong"} aria-current={selected}>
        {problem === "" ? null : <Icon name="warning" size="s" />}
        <span>{problem === "" ? title : problem}</span>
      </Link>
      {unsaved ? <span className="unsaved tiny"> {words.notSaved}</span> : null}
      <span className="narrow-only tiny muted">
        {say`${row.trueLabel} or ${row.falseLabel}, ${row.seconds} s, ${row.starts}`}
      </span>
    </>
  );
}

/** Moves the row by one position: at once with JavaScript, by a form without. Disabled at the end of the list. */
function MoveButton({ row: { id, position, title, count }, by }: { row: EventRowProps; by: -1 | 1 }) {
  const [word, icon] = by < 0 ? (["up", "up"] as const) : (["down", "down"] as const);
  const target = position + by;
  const atEnd = target < 1 || target > count;
  return (
    <button
      className="btn bare sq"
      type={atEnd ? "button" : "submit"}
      form={MOVE_FORM}
      name="move"
      value={`${id}:${target}`}
      data-by={by}
      aria-label={`Move ${word}: ${title}`}
      aria-disabled={atEnd}
    >
      <Icon name={icon} />
    </button>
  );
}

/** The table handles the boxes of all rows. */
function ignore(): void {}
