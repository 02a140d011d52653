import { Link } from "react-router";
import { formatShortMoney } from "#client/base/format/money.ts";
import { SideShape } from "#client/ui/icon.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import type { FoundPlayer } from "#src/operate/health/schemas.ts";
import * as texts from "../texts/health-texts.ts";
import { MoveToTeam } from "./move-to-team.tsx";
import { RemovePlayer } from "./remove-player.tsx";
import { TakeNameAway } from "./take-name-away.tsx";

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
