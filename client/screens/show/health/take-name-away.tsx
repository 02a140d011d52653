import { useState } from "react";
import { useApi, useViewer } from "#client/base/page/context.ts";
import { giveNameBack, type TakenName, takeName } from "#client/sign-ins/take-name.ts";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import * as texts from "../texts/health-texts.ts";

type TakeNameAwayProps = { user: { id: number; username: string }; onDone?: () => void };

/**
 * Takes a player's name, face and picture away with one click, and gives name and face back with the next. A neutral name has no button, and
 * who hosts one session alone has none: a name is the user's in all sessions.
 */
export function TakeNameAway({ user: { id, username }, onDone }: TakeNameAwayProps) {
  const api = useApi();
  const mine = useViewer()?.id === id;
  const isAdmin = useIsAdmin();
  const [failed, setFailed] = useState(false);
  const [taken, setTaken] = useState<TakenName | null>(null);
  const isNeutral = username === `guest_${id}`;
  if (mine || !isAdmin || (isNeutral && taken === null)) return null;
  const act = () => {
    const sent = taken === null ? takeName(api, id) : giveNameBack(api, taken).then(() => null);
    sent.then(
      (now) => {
        setFailed(false);
        setTaken(now);
        onDone?.();
      },
      () => setFailed(true),
    );
  };
  const [label, name] =
    taken === null
      ? [texts.takeName, texts.takeNameOf(username)]
      : [texts.giveNameBack(taken.hadPicture), texts.giveNameBackTo(taken.username, taken.hadPicture)];
  return (
    <button className="btn sm" type="button" aria-label={failed ? undefined : name} onClick={act}>
      {failed ? texts.takeNameFailed : label}
    </button>
  );
}
