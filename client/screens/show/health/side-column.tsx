import { useEffect, useRef, useState } from "react";
import { Link, useLoaderData } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { minutes } from "#client/base/format/countdown.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { Icon } from "#client/ui/icon.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { PLAYERS_FOUND_MAX } from "#src/operate/health/contract.ts";
import type { FoundPlayer } from "#src/operate/health/schemas.ts";
import type { MessageView } from "#src/play/chat/schemas.ts";
import { AuditPanel } from "../audit-panel.tsx";
import { FIND, type ShowPage } from "../load-show.ts";
import { useShow } from "../show-context.ts";
import { stageLink } from "../stage/use-stage.ts";
import { BeforeShow } from "../start/before-show.tsx";
import type { Check } from "../start/checklist.ts";
import * as texts from "../texts/health-texts.ts";
import { HealthPanel, useTroubled } from "./health-panel.tsx";
import { listNext, nameOfNext, type NextTransition } from "./list-next.ts";
import { PacePanel } from "./pace-panel.tsx";
import { PlayerRow } from "./player-row.tsx";
import { TakeNameAway } from "./take-name-away.tsx";
import type { Drawer } from "./use-drawer.ts";
import type { Health } from "./use-health.ts";
import { useLateS } from "./use-late-timer.ts";
import type { Waiting } from "./use-waiting.ts";

/** A search begins when nothing was typed for so long. */
const TYPED_MS = 300;
const SEARCH_LENGTH_MAX = 254;
const REMOVED = "remove_player";

const SHOWN_MAX = 3;

const SIDE_ID = "side-column";

type SideProps = { health: Health; drawer: Drawer; checks: readonly Check[]; waiting: Waiting };

/** The right column: what is next, what the show runs on, how calls arrive, who did what, players. Before the show its checklist. */
export function SideColumn({ health, drawer, checks, waiting }: SideProps) {
  const { isOpen, column, onKeyDown } = drawer;
  return (
    <aside
      className={isOpen ? "side-col drawn" : "side-col"}
      id={SIDE_ID}
      ref={column}
      tabIndex={-1}
      aria-label={texts.sideColumn}
      onKeyDown={onKeyDown}
    >
      {checks.length === 0 ? <NextTransitions /> : <BeforeShow checks={checks} />}
      <Approvals waiting={waiting} />
      <HealthPanel health={health} />
      <PacePanel pace={health.view?.pace ?? null} />
      <AuditPanel />
      <FindPlayers />
    </aside>
  );
}

/** The button that opens the column where the window is too narrow to have it beside the others. */
export function SideButton({ health, drawer, waiting }: Omit<SideProps, "checks">) {
  const { isOpen, toggle, button } = drawer;
  const troubled = useTroubled(health);
  const waits = waiting?.messages.length ?? 0;
  return (
    <button
      className="btn side-button"
      type="button"
      ref={button}
      aria-expanded={isOpen}
      aria-controls={SIDE_ID}
      onClick={toggle}
    >
      {troubled ? <Icon name="warning" size="s" /> : null}
      <span>{isOpen ? texts.closeSide : texts.openSide}</span>
      {waits === 0 ? null : <span className="num">{texts.waiting(waits)}</span>}
      {troubled ? <span className="vh">, {texts.needsAttention}</span> : null}
    </button>
  );
}

/** What happens next without anybody: its name, when, and how late it is. */
function NextTransitions() {
  const { session, events } = useShow();
  const next = listNext(events).slice(0, SHOWN_MAX);
  return (
    <Panel title={texts.nextTransitions}>
      {next.length === 0 ? (
        <p className="pad-row small ink2">
          {session.state === "stopped" ? texts.nothingNextOver : texts.nothingNext}
        </p>
      ) : (
        <ol className="readings" aria-label={texts.nextTransitions}>
          {next.map((each) => (
            <Row key={each.event.id} {...each} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Row({ event, number, dueAt, remainingMs }: NextTransition) {
  const zone = useTimeZone();
  return (
    <li>
      <Link className="strong" {...stageLink(event.id)}>
        <span>{nameOfNext({ event, number })}</span>
        <span className="vh">{` ${event.title}`}</span>
      </Link>
      {dueAt === null ? (
        <span className="push num ink2">{texts.afterResume(minutes(remainingMs ?? 0))}</span>
      ) : (
        <>
          <time className="push num ink2" dateTime={dueAt}>
            {formatClock(dueAt, zone)}
          </time>
          <Left dueAt={dueAt} />
        </>
      )}
    </li>
  );
}

function Left({ dueAt }: { dueAt: string }) {
  const { renderedAt } = useShow();
  const late = useLateS(dueAt);
  const left = useServerTime((nowMs) => minutes(Date.parse(dueAt) - nowMs), renderedAt);
  return (
    <span className={late === null ? "left num" : "left num bad"}>
      {late === null ? texts.dueIn(left) : texts.late(late)}
    </span>
  );
}

/** The chat messages that wait for a host before they are on the big screen: each is let there, or removed, by a click. */
function Approvals({ waiting }: { waiting: Waiting }) {
  const api = useApi();
  const [failed, setFailed] = useState(false);
  if (waiting === null) return null;
  const { messages, refetch } = waiting;
  const act = (perform: (of: Api) => Promise<unknown>) => {
    perform(api)
      .then(
        () => setFailed(false),
        () => setFailed(true),
      )
      .finally(refetch);
  };
  return (
    <section className="panel approvals" aria-label={texts.chatForScreen}>
      <header>
        <h2>{texts.chatForScreen}</h2>
        <span className="push small ink2 num">{texts.waiting(messages.length)}</span>
      </header>
      {failed ? <Note tone="bad">{texts.approvalFailed}</Note> : null}
      {messages.length === 0 ? null : (
        <ul>
          {messages.map((message) => (
            <WaitingRow key={message.id} message={message} act={act} refetch={refetch} />
          ))}
        </ul>
      )}
    </section>
  );
}

type RowProps = {
  message: MessageView;
  act: (perform: (of: Api) => Promise<unknown>) => void;
  refetch: () => void;
};

function WaitingRow({ message: { id, userId, username, body }, act, refetch }: RowProps) {
  return (
    <li>
      <p className="wrap-anywhere">
        <b translate="no">{username}</b> <span>{body}</span>
      </p>
      <p className="row wrap">
        <button
          className="btn sm primary"
          type="button"
          aria-label={texts.showMessageOf(username)}
          onClick={() => act((api) => api.put(`/api/v1/messages/${id}/approve`))}
        >
          {texts.showOnScreen}
        </button>
        <button
          className="btn sm bad"
          type="button"
          aria-label={texts.removeMessageOf(username)}
          onClick={() => act((api) => api.delete(`/api/v1/messages/${id}`))}
        >
          {texts.removeMessage}
        </button>
        <TakeNameAway user={{ id: userId, username }} onDone={refetch} />
      </p>
    </li>
  );
}

type Search = { text: string; players: readonly FoundPlayer[] | null; failed: boolean };

/** Finds a player by a part of the name or the email: the wallet, and the newest calls in this session. Without JavaScript by Enter. */
function FindPlayers() {
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
