import { memo } from "react";
import { Link } from "react-router";
import * as texts from "#client/blueprints/editor-texts.ts";
import { Icon } from "#client/ui/icon.tsx";
import { TermCells } from "./event-columns.tsx";
import { panelLink } from "./panel.ts";
import { CHOICE_FORM } from "./selection-bar.tsx";

/** Id of the hidden form of all rows' buttons. */
export const MOVE_FORM = "move-event";
/** Id of the text that explains how to move a row; describes every grip. */
export const MOVE_HELP = "move-help";

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

/** One event in the editor's table. The table handles its events; see events-table.tsx. */
export const EventRow = memo(function EventRow(row: EventRowProps) {
  const { id, position, title, selected } = row;
  return (
    <tr id={`event-${id}`} data-id={id} className={selected ? "sel" : undefined}>
      <td className="grip-cell">
        <button
          className="grip"
          type="button"
          data-grip=""
          aria-label={texts.moveAction(position, title)}
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
            aria-label={texts.chooseAction(position, title)}
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

function Question({ id, title, problem, selected, unsaved, ...row }: EventRowProps) {
  return (
    <>
      <Link {...panelLink(String(id))} className={problem === "" ? "" : "wrong"} aria-current={selected}>
        {problem === "" ? null : <Icon name="warning" size="s" />}
        <span>{problem === "" ? title : problem}</span>
      </Link>
      {unsaved ? <span className="unsaved tiny"> {texts.notSaved}</span> : null}
      <span className="narrow-only tiny muted">
        {texts.describeEvent(row.trueLabel, row.falseLabel, row.seconds, row.starts)}
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
      aria-label={texts.move(word, title)}
      aria-disabled={atEnd}
    >
      <Icon name={icon} />
    </button>
  );
}

/** The table handles the boxes of all rows. */
function ignore(): void {}
