import type { MouseEvent } from "react";
import * as words from "#client/base/format/words.ts";
import { PostForm } from "#client/ui/forms/post-form.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useEditor } from "./editor-context.ts";

/** Id of the form that the boxes of the rows belong to. */
export const CHOICE_FORM = "chosen-events";

/** Id of the box that chooses all events. */
export const CHOOSE_ALL = "choose-all-events";

/** What can be done with the chosen events. Each button sends their form; a move is done at once where the page has its script. */
export function SelectionBar({ moveBy }: { moveBy: (by: -1 | 1) => void }) {
  const { chosen, choose } = useEditor();
  const move = (by: -1 | 1) => (event: MouseEvent) => {
    event.preventDefault();
    moveBy(by);
  };
  const clear = () => {
    choose(new Set());
    // The bar goes away, and with it the button that has the focus.
    document.getElementById(CHOOSE_ALL)?.focus();
  };
  return (
    <PostForm
      id={CHOICE_FORM}
      className={chosen.size === 0 ? "choice-bar without-javascript" : "choice-bar"}
      aria-label="For the chosen actions"
    >
      <span className="small strong num">{chosen.size === 0 ? "None chosen" : `${chosen.size} chosen`}</span>
      <Submit intent="edit_several" className="btn sm">
        {words.edit}
      </Submit>
      {([-1, 1] as const).map((by) => (
        <button
          key={by}
          className="btn sm"
          type="submit"
          name="intent"
          value={by < 0 ? "move_up" : "move_down"}
          onClick={move(by)}
        >
          {by < 0 ? "Up" : "Down"}
        </button>
      ))}
      <Submit intent="duplicate_several" className="btn sm">
        {words.duplicate}
      </Submit>
      <Submit intent="remove_several" className="btn sm bad">
        {words.remove}
      </Submit>
      <button className="btn sm bare with-script" type="button" onClick={clear}>
        Clear
      </button>
    </PostForm>
  );
}
