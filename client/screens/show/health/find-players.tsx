import { useEffect, useRef, useState } from "react";
import { Link, useLoaderData } from "react-router";
import { formatShortMoney } from "#client/base/format/money.ts";
import { useApi, useViewer } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { giveNameBack, takeName, type TakenName } from "#client/sign-ins/take-name.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { SideShape } from "#client/ui/icon.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { PLAYERS_FOUND_MAX } from "#src/operate/health/contract.ts";
import type { FoundPlayer } from "#src/operate/health/schemas.ts";
import { ActForm } from "../act-form.tsx";
import { FIND, type ShowPage } from "../load-show.ts";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/health-texts.ts";
import { keyOf } from "../use-acting.ts";

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
    <search className="panel find-players" aria-label={texts.players}>
      <form onSubmit={(event) => event.preventDefault()}>
        <input
          className="input sm"
          name={FIND}
          defaultValue={found?.text}
          type="search"
          ref={field}
          aria-label={texts.findPlayer}
          placeholder={useIsAdmin() ? texts.findHint : texts.findByName}
          autoComplete="off"
          maxLength={SEARCH_LENGTH_MAX}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
      <p className="small ink2" role="status">
        {statusOf(text.trim(), search)}
      </p>
      {search?.players == null || search.players.length === 0 ? null : (
        <ul aria-label={texts.players}>
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
  if (search?.text !== text) return texts.searching;
  if (search.failed || search.players === null) return texts.searchFailed;
  const { length } = search.players;
  return length === PLAYERS_FOUND_MAX ? texts.moreThan(length) : texts.found(length);
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
