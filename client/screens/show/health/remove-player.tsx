import { useViewer } from "#client/base/page/context.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { ActForm } from "../act-form.tsx";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/health-texts.ts";
import { keyOf } from "../use-acting.ts";

const REMOVE = "removePlayer";

type RemovePlayerProps = {
  player: { id: number; username: string; registered: boolean; removed: boolean };
};

/**
 * Removes a player from the session, and makes a new code with the same press. Who is not in it has no button. Works without
 * JavaScript.
 */
export function RemovePlayer({ player: { id, username, registered, removed } }: RemovePlayerProps) {
  const { acting, session } = useShow();
  const mine = useViewer()?.id === id;
  if (removed) return <span className="tiny bad">{texts.removed}</span>;
  if (mine || !registered) return null;
  return (
    <Confirm
      label={
        <>
          <span>{texts.remove}</span> <span className="vh">{texts.fromThisShow(username)}</span>
        </>
      }
      className="btn sm"
      title={texts.removeTitle(username)}
      form={ActForm}
      act={{
        label: texts.removeSure,
        intent: REMOVE,
        className: "btn bad",
        busy: acting.busy.has(keyOf(REMOVE, "")),
      }}
    >
      <input type="hidden" name="user_id" value={id} />
      <p>{texts.removeHint}</p>
      <label className="check">
        <input type="checkbox" name="renew_code" value="1" defaultChecked={session.settings.private} />
        <span>{texts.renewCodeToo}</span>
      </label>
    </Confirm>
  );
}
