import { useState } from "react";
import { Link } from "react-router";
import { formatShortMoney } from "#client/base/format/money.ts";
import { useApi, useViewer } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { SideShape } from "#client/ui/icon.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import type { FoundPlayer } from "#src/operate/health/schemas.ts";
import { ActForm } from "../act-form.tsx";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/health-texts.ts";
import { keyOf } from "../use-acting.ts";
import { TakeNameAway } from "./take-name-away.tsx";

const REMOVE = "removePlayer";

/** A player: for admins the name leads to the page with everything. */
export function PlayerRow({ player }: { player: FoundPlayer }) {
  const isAdmin = useIsAdmin();
  const { id, username, guest, deactivated, availableCents, heldCents, callsCount, calls } = player;
  return (
    <li>
      <p className="row wrap">
        {isAdmin ? (
          <Link className="strong" to={`/users/${id}`}>
            {username}
          </Link>
        ) : (
          <b>{username}</b>
        )}
        {guest ? <span className="tiny muted">{texts.guest}</span> : null}
        {deactivated ? <span className="tiny bad">{texts.deactivated}</span> : null}
        <span className="push small ink2 num">
          {callsCount === 0 ? texts.noCallsHere : texts.callsHere(callsCount)}
        </span>
      </p>
      <p className="row wrap small ink2 num">
        {availableCents === null || heldCents === null ? null : (
          <span>{texts.walletOf(availableCents, heldCents)}</span>
        )}
        <span className="push">
          <TakeNameAway user={player} /> <RemovePlayer player={player} />
        </span>
      </p>
      <MoveToTeam player={player} />
      {calls.map((call) => (
        <PlayerCall key={call.id} call={call} />
      ))}
    </li>
  );
}

type Call = FoundPlayer["calls"][number];

function PlayerCall({ call }: { call: Call }) {
  return (
    <p className="row tiny num">
      <SideShape side={call.side} />
      <span className="clip">{`${call.label} ${formatShortMoney(call.wagerCents)}, ${call.eventTitle}`}</span>
      <span className="push ink2">{outcomeOf(call)}</span>
    </p>
  );
}

function outcomeOf({ outcome, payoutCents }: Call): string {
  if (outcome === "won") return texts.won(payoutCents ?? 0);
  if (outcome === "lost") return texts.lost;
  return outcome === null ? texts.placed : texts.refunded;
}

type RemovePlayerProps = {
  player: { id: number; username: string; registered: boolean; removed: boolean };
};

/**
 * Removes a player from the session, and makes a new code with the same press. Who is not in it has no button. Works without
 * JavaScript.
 */
function RemovePlayer({ player: { id, username, registered, removed } }: RemovePlayerProps) {
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

type MoveToTeamProps = { player: Pick<FoundPlayer, "id" | "username" | "registered" | "team"> };

/** Moves a player to the team that is chosen. Nothing for a player who is not in the session, and where it has no teams. */
function MoveToTeam({ player: { id, username, registered, team } }: MoveToTeamProps) {
  const api = useApi();
  const { slug, settings, state } = useShow().session;
  const [chosen, setChosen] = useState(team);
  const [failed, setFailed] = useState(false);
  if (!registered || !("teams" in settings) || settings.teams.length === 0) return null;
  const move = (number: number) => {
    const before = chosen;
    setChosen(number);
    setFailed(false);
    api.put(`${sessionPath(slug)}/players/${id}/team`, { team: { number } }).then(
      () => undefined,
      () => {
        setChosen(before);
        setFailed(true);
      },
    );
  };
  return (
    <p className="row wrap">
      <select
        className="input sm"
        aria-label={texts.teamOf(username)}
        value={chosen ?? ""}
        disabled={state === "stopped"}
        onChange={({ currentTarget }) => move(Number(currentTarget.value))}
      >
        {chosen === null ? <option value="">{texts.noTeam}</option> : null}
        {settings.teams.map((name, index) => (
          <option key={name} value={index + 1}>
            {name}
          </option>
        ))}
      </select>
      {failed ? (
        <span className="tiny bad" role="alert">
          {texts.notMoved}
        </span>
      ) : null}
    </p>
  );
}
