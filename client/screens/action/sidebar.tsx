import { useDeferredValue } from "react";
import { Link } from "react-router";
import { readStored, store, useStored } from "#client/base/browser/storage.ts";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { useViewer } from "#client/base/page/context.ts";
import { callAmount } from "#client/calls/call-amount.ts";
import { CallPill } from "#client/calls/call-pill.tsx";
import { useChatParts } from "#client/chat/use-chat-parts.ts";
import * as texts from "#client/events/action-texts.ts";
import { ChatLink } from "#client/events/chat-link.tsx";
import { usePlayersHere } from "#client/events/players-here.ts";
import { useView, ViewContext } from "#client/events/view.ts";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import { SideShape } from "#client/ui/icon.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { say } from "#src/http/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import { feedText } from "./feed-text.ts";

const playAlong = "Play along";

const CALLS_SHOWN = 4;
const RANKS_SHOWN = 3;

const STORAGE_KEY = "chat";
const OPEN = "open";
/** The rail is on wide screens only. */
const WIDE = "(min-width: 64rem)";

/** What was chosen in this page, or found in the storage. */
let isChatOpen: boolean | undefined;

/**
 * Beside the card on wide screens: the viewer's rank and calls, and the calls of others. It follows the card a moment later, so
 * that it delays no answer to a press.
 */
export function Rail() {
  const view = useDeferredValue(useView());
  if (view.watching) return <WatcherRail />;
  return (
    <ViewContext value={view}>
      <aside className="rail" aria-label="My session">
        <MyRank />
        <MyCalls />
        <Feed />
      </aside>
    </ViewContext>
  );
}

function WatcherRail() {
  return (
    <aside className="rail" aria-label={playAlong}>
      <Panel title={playAlong}>
        <p className="body small ink2">
          You start with play money, and without an account. The ranks appear here.
        </p>
      </Panel>
    </aside>
  );
}

function MyRank() {
  const { state } = useView();
  const rows = aroundMe(state.leaders, state.me);
  return (
    <Panel title="My rank" aside={rows.length === 0 ? null : <RankOf />}>
      {rows.length === 0 ? <p className="body small ink2">Ranks come with the first result.</p> : null}
      <ul className="list">
        {rows.map((score) => (
          <Rank key={score.userId} score={score} mine={score.userId === state.me?.userId} />
        ))}
      </ul>
    </Panel>
  );
}

/** "of 52, by questions won", which leads to the list of all; guests cannot open it. */
function RankOf() {
  const { session, playersCount } = useView().state;
  const text = `of ${playersCount}, by questions won`;
  return useViewer()?.guest === true ? (
    <span>{text}</span>
  ) : (
    <Link to={`/sessions/${session.slug}/leaders`}>{text}</Link>
  );
}

function Rank({ score, mine }: { score: ScoreView; mine: boolean }) {
  const { username, wins, losses } = score;
  return (
    <li className={mine ? "dense me" : "dense"}>
      <span className="strong num rank">{formatRank(score)}</span>
      <span className={mine ? "grow clip strong" : "grow clip"} translate="no">
        {mine ? say`${username} (you)` : username}
      </span>
      <span className="small">{`${wins} won, ${losses} lost`}</span>
    </li>
  );
}

/** Three rows, with the viewer's among them if the viewer has a rank. */
function aroundMe(leaders: readonly ScoreView[], me: ScoreView | null): readonly ScoreView[] {
  if (me === null) return leaders.slice(0, RANKS_SHOWN);
  const index = leaders.findIndex(({ userId }) => userId === me.userId);
  if (index < 0) return [...leaders.slice(0, RANKS_SHOWN - 1), me];
  const start = Math.max(0, Math.min(index - 1, leaders.length - RANKS_SHOWN));
  return leaders.slice(start, start + RANKS_SHOWN);
}

function MyCalls() {
  const { state } = useView();
  const guest = useViewer()?.guest === true;
  const mine = state.events
    .flatMap((event) => event.myCalls)
    .toSorted((one, other) => other.id - one.id)
    .slice(0, CALLS_SHOWN);
  return (
    <section className="panel">
      <header>
        <h2>{texts.myCalls}</h2>
        {guest ? null : (
          <Link className="push small" to={`/sessions/${state.session.slug}/history`}>
            All history
          </Link>
        )}
      </header>
      {mine.length === 0 ? <p className="body small ink2">What you call appears here.</p> : null}
      <ul className="list">
        {mine.map((call) => (
          <MyCall
            key={call.id}
            call={call}
            receipt={guest ? `/sessions/${state.session.slug}/history/${call.id}` : null}
          />
        ))}
      </ul>
    </section>
  );
}

/** @param receipt its path, for guests: everybody else finds it in the history. */
function MyCall({ call, receipt }: { call: CallView; receipt: string | null }) {
  const { side, eventTitle } = call;
  return (
    <li className="dense">
      <SideShape side={side} />
      <span className="grow clip small">
        {receipt === null ? eventTitle : <Link to={receipt}>{eventTitle}</Link>}
      </span>
      <CallPill call={call} />
      <span className="num strong small end amount-end" translate="no">
        {callAmount(call)}
      </span>
    </li>
  );
}

function Feed() {
  const { state } = useView();
  const mayChat = useViewer()?.guest === false;
  // This browser remembers it. Without storage it shows the calls after a reload.
  const chatting = useStored(isOpen, () => false);
  return (
    <section className="panel feed">
      <header>
        <h2>{chatting ? words.chat : words.live}</h2>
        <span className="push small ink2">{countOf(usePlayersHere(state.playersOnline), "player")}</span>
        {mayChat ? (
          <button className="btn sm" type="button" onClick={() => setOpen(!chatting)}>
            {chatting ? words.live : words.chat}
          </button>
        ) : null}
        {mayChat ? <ChatLink slug={state.session.slug} className="btn sm" /> : null}
      </header>
      {chatting ? <Chat /> : <Calls />}
    </section>
  );
}

function Chat() {
  const { state } = useView();
  const parts = useChatParts({ enabled: true });
  return parts === null ? null : <parts.ChatPanel session={state.session} />;
}

function Calls() {
  const { state, event } = useView();
  return (
    <ul className="body stack small ink2">
      {state.feed.length > 0 ? null : (
        <li>{event?.callsCount === 0 ? "Nobody has called yet. Be the first." : "Calls appear here."}</li>
      )}
      {state.feed.map((entry) => (
        <li key={entry.id}>{feedText(entry)}</li>
      ))}
    </ul>
  );
}

function isOpen(): boolean {
  if (!matchMedia(WIDE).matches) return false;
  isChatOpen ??= readStored(STORAGE_KEY) === OPEN;
  return isChatOpen;
}

function setOpen(open: boolean): void {
  isChatOpen = open;
  store(STORAGE_KEY, open ? OPEN : null);
}
