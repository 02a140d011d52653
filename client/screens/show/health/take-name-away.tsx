import { useState } from "react";
import { useApi, useViewer } from "#client/base/page/context.ts";
import * as texts from "../texts/health-texts.ts";

type TakeNameAwayProps = { user: { id: number; username: string }; onDone: () => void };

/** Takes a player's name, face and picture away with one click. A player with a neutral name has no button. */
export function TakeNameAway({ user: { id, username }, onDone }: TakeNameAwayProps) {
  const api = useApi();
  const mine = useViewer()?.id === id;
  const [failed, setFailed] = useState(false);
  if (mine || username === `guest_${id}`) return null;
  const take = () => {
    api.put(`/api/v1/users/${id}/remove_name`).then(
      () => {
        setFailed(false);
        onDone();
      },
      () => setFailed(true),
    );
  };
  return (
    <button
      className="btn sm"
      type="button"
      aria-label={failed ? undefined : texts.takeNameOf(username)}
      onClick={take}
    >
      {failed ? texts.takeNameFailed : texts.takeName}
    </button>
  );
}
