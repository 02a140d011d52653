import { useEffect, useRef, useState } from "react";
import { Link, useLoaderData } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import { formatShortMoney } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { useApi, useViewer } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { giveNameBack, takeName, type TakenName } from "#client/sign-ins/take-name.ts";
import { Checkbox } from "#client/ui/checkbox.tsx";
import { SideShape } from "#client/ui/icon.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { say } from "#src/http/contract.ts";
import { PLAYERS_FOUND_MAX } from "#src/operate/health/contract.ts";
import type { FoundPlayer } from "#src/operate/health/schemas.ts";
import { AskAct } from "../running/act-form.tsx";
import { useShow } from "../running/show-context.ts";
import { FIND, type ShowPage } from "../running/show-state.ts";

/** A search begins when nothing was typed for so long. */
const TYPED_MS = 300;
const SEARCH_LENGTH_MAX = 254;
const REMOVED = "remove_player";
const REMOVE = "removePlayer";

type Search = { text: string; players: readonly FoundPlayer[] | null; failed: boolean };

/** Finds a player by a part of the name or the email: the wallet, and the newest calls in this session. Without JavaScript by Enter. */
export function FindPlayers() {
  const { found } = useLoaderData<ShowPage>();
  const [text, setText] = useState(found?.text ?? "");
  const field = useRef<HTMLInputElement>(null);
  // What was typed before the scripts had arrived. The field keeps it: it has no value of React's.
  useEffect(() => setText(field.current?.value ?? ""), []);
  const search = useSearch(text.trim());
  return (
    <search className="panel find-players" aria-label={words.players}>
      <form onSubmit={(event) => event.preventDefault()}>
        <input
          className="input sm"
          name={FIND}
          defaultValue={found?.text}
          type="search"
          ref={field}
          aria-label="Find a player"
          placeholder={useIsAdmin() ? "Name or email" : "Name of somebody in this session"}
          autoComplete="off"
          maxLength={SEARCH_LENGTH_MAX}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
      <p className="small ink2" role="status">
        {statusOf(text.trim(), search)}
      </p>
      {search?.players == null || search.players.length === 0 ? null : (
        <ul aria-label={words.players}>
          {search.players.map((player) => (
            <PlayerRow key={player.id} player={player} />
          ))}
        </ul>
      )}
    </search>
  );
}

/** @returns the newest search; null without a text. */
function useSearch(text: string): Search | null {
  const { session, audit } = useShow();
  const api = useApi();
  const { found } = useLoaderData<ShowPage>();
  const [search, setSearch] = useState<Search | null>(found === null ? null : { ...found, failed: false });
  const { slug } = session;
  // A removal, also by another host, is seen in what was found.
  const removal = audit.find(({ action }) => action === REMOVED)?.id ?? 0;
  useEffect(() => {
    if (text === "") return undefined;
    const left = new AbortController();
    const options = { query: { search: text }, signal: left.signal };
    const timer = setTimeout(() => {
      api.get(`${sessionPath(slug)}/players`, options).then(
        ({ players }) => setSearch({ text, players, failed: false }),
        () => {
          if (!left.signal.aborted) setSearch({ text, players: null, failed: true });
        },
      );
    }, TYPED_MS);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [api, slug, text, removal]);
  return text === "" ? null : search;
}

function statusOf(text: string, search: Search | null): string {
  if (text === "") return "";
  if (search?.text !== text) return "Searching.";
  if (search.failed || search.players === null) return "The search got no answer. Type again to repeat it.";
  const { length } = search.players;
  if (length === 0) return "Nobody has this name.";
  return length === PLAYERS_FOUND_MAX
    ? `The first ${length}. Type more of the name for others.`
    : `${countOf(length, "player")} found.`;
}

/** A player: for admins the name leads to the page with everything. */
function PlayerRow({ player }: { player: FoundPlayer }) {
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
        {guest ? <span className="tiny muted">guest</span> : null}
        {deactivated ? <span className="tiny bad">deactivated</span> : null}
        <span className="push small ink2 num">
          {callsCount === 0 ? "no calls here" : `${countOf(callsCount, "call")} here`}
        </span>
      </p>
      <p className="row wrap small ink2 num">
        {availableCents === null || heldCents === null ? null : (
          <span>
            {heldCents === 0
              ? `${formatShortMoney(availableCents)} to spend`
              : `${formatShortMoney(availableCents)} to spend, ${formatShortMoney(heldCents)} in open calls`}
          </span>
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
      <span className="clip">{say`${call.label} ${formatShortMoney(call.wagerCents)}, ${call.eventTitle}`}</span>
      <span className="push ink2">{outcomeOf(call)}</span>
    </p>
  );
}

function outcomeOf({ outcome, payoutCents }: Call): string {
  if (outcome === "won") return `paid ${formatShortMoney(payoutCents ?? 0)}`;
  if (outcome === "lost") return "lost";
  return outcome === null ? "open" : "refunded";
}

type RemovePlayerProps = {
  player: { id: number; username: string; registered: boolean; removed: boolean };
};

/**
 * Removes a player from the session, and makes a new code with the same press. Who is not in it has no button. Works without
 * JavaScript.
 */
function RemovePlayer({ player: { id, username, registered, removed } }: RemovePlayerProps) {
  const { session } = useShow();
  const mine = useViewer()?.id === id;
  if (removed) return <span className="tiny bad">removed: needs a new code</span>;
  if (mine || !registered) return null;
  return (
    <AskAct
      label={
        <>
          <span>{words.remove}</span> <span className="vh">{`${username} from this show`}</span>
        </>
      }
      className="btn sm"
      title={say`Remove ${username} from this show?`}
      act={{ label: "Remove the player", intent: REMOVE, className: "btn bad" }}
    >
      <input type="hidden" name="user_id" value={id} />
      <p>The show does not exist for this player until there is a newer code. Calls and results stay.</p>
      <Checkbox name="renew_code" defaultChecked={session.settings.private}>
        <span>Make a new code now: the player could come back as a new guest with this one</span>
      </Checkbox>
    </AskAct>
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
        aria-label={`Team of ${username}`}
        value={chosen ?? ""}
        disabled={state === "stopped"}
        onChange={({ currentTarget }) => move(Number(currentTarget.value))}
      >
        {chosen === null ? <option value="">No team</option> : null}
        {settings.teams.map((name, index) => (
          <option key={name} value={index + 1}>
            {name}
          </option>
        ))}
      </select>
      {failed ? (
        <span className="tiny bad" role="alert">
          Could not move
        </span>
      ) : null}
    </p>
  );
}

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
  const [label, about] =
    taken === null
      ? ["Take name away", ` from ${username}`]
      : [taken.hadPicture ? "Undo, without the picture" : "Undo", `: give the name ${taken.username} back`];
  return (
    <button className="btn sm" type="button" aria-label={failed ? undefined : label + about} onClick={act}>
      {failed ? "Not done. Try again" : label}
    </button>
  );
}
