import { useViewer } from "../base/page/context.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Draft } from "./chat-state.ts";
import * as texts from "./chat-texts.ts";

type DraftRowProps = {
  draft: Draft;
  onResend: (draft: Draft) => void;
  onEdit: (draft: Draft) => void;
};

/** A message on its way, or one that failed: it stays until the viewer sends it again or edits it. */
export function DraftRow({ draft, onResend, onEdit }: DraftRowProps) {
  const viewer = useViewer();
  const { body, failure } = draft;
  return (
    <li className="said own" aria-busy={failure === null}>
      <Avatar name={viewer?.username ?? ""} avatar={viewer?.avatar ?? null} />
      <div className="said-by">
        <p className="said-text">{body}</p>
        {failure === null ? (
          <p className="tiny muted">{texts.sending}</p>
        ) : (
          <>
            <p className="small failed">
              <Icon name="warning" size="s" />
              <span>{texts.notSent(failure)}</span>
            </p>
            <p className="row">
              <button className="btn sm" type="button" onClick={() => onResend(draft)}>
                {texts.tryAgain}
              </button>
              <button className="btn sm ghost" type="button" onClick={() => onEdit(draft)}>
                {texts.edit}
              </button>
            </p>
          </>
        )}
      </div>
    </li>
  );
}
