import { useState } from "react";
import { Link } from "react-router";
import type { CallView } from "#src/calls/schemas.ts";
import type { ScoreView } from "#src/leaderboard/schemas.ts";
import { CallPill } from "../calls/call-pill.tsx";
import { useViewer } from "../context.ts";
import { countOf } from "../ui/count.ts";
import { SideShape } from "../ui/icon.tsx";
import { formatChange, formatMoney } from "../ui/money.ts";
import { Panel } from "../ui/page-layout.tsx";
import { useChatParts } from "../use-chat-parts.ts";
import { feedText } from "./feed-text.ts";
import { useView } from "./view.ts";

const CALLS_SHOWN = 4;
const RANKS_SHOWN = 3;

/** Beside the card on wide screens: how I stand, what I called, what others do. */
export function Rail() {
  if (useView().watching) return <WatcherRail />;
  return (
    <aside className="rail" aria-label="My session">
      <MyRank />
      <MyCalls />
      <Feed />
    </aside>
  );
}

function WatcherRail() {
  return (
    <aside className="rail" aria-label="Play along">
      <Panel title="Play along">
        <p className="body small ink2">
          Guests start with $100.00 of play money, and without an account. Who wins more than the others
          climbs the ranks, which stand here then.
        </p>
      </Panel>
    </aside>
  );
}

function MyRank() {
  const { table } = useView();
  const rows = aroundMe(table.leaders, table.me);
  return (
    <Panel title="My rank" aside={rows.length === 0 ? null : `of ${table.playersCount}`}>
      {rows.length === 0 ? <p className="body small ink2">Ranks come with the first result.</p> : null}
      <ul className="list">
        {rows.map((score) => (
          <RankRow key={score.userId} score={score} mine={score.userId === table.me?.userId} />
        ))}
      </ul>
    </Panel>
  );
}

function RankRow({ score, mine }: { score: ScoreView; mine: boolean }) {
  return (
    <li className={mine ? "dense me" : "dense"}>
      <span className="strong num rank">{score.tied ? `=${score.rank}` : score.rank}</span>
      <span className={mine ? "grow clip strong" : "grow clip"}>
        {mine ? `${score.username} (you)` : score.username}
      </span>
      <span className="small">{`${score.wins} won, ${score.losses} lost`}</span>
    </li>
  );
}

/** Three rows with mine among them, where I have a rank. */
function aroundMe(leaders: readonly ScoreView[], me: ScoreView | null): readonly ScoreView[] {
  if (me === null) return leaders.slice(0, RANKS_SHOWN);
  const place = leaders.findIndex(({ userId }) => userId === me.userId);
  if (place < 0) return [...leaders.slice(0, RANKS_SHOWN - 1), me];
  const start = Math.max(0, Math.min(place - 1, leaders.length - RANKS_SHOWN));
  return leaders.slice(start, start + RANKS_SHOWN);
}

function MyCalls() {
  const { table } = useView();
  const mine = table.events
    .flatMap((event) => event.myCalls)
    .filter((call) => call.state !== "soft_destroyed")
    .toSorted((one, other) => other.id - one.id)
    .slice(0, CALLS_SHOWN);
  return (
    <section className="panel">
      <header>
        <h2>My calls</h2>
        <Link className="push small" to="history">
          All history
        </Link>
      </header>
      {mine.length === 0 ? <p className="body small ink2">What you call stands here.</p> : null}
      <ul className="list">
        {mine.map((call) => (
          <MyCall key={call.id} call={call} />
        ))}
      </ul>
    </section>
  );
}

function MyCall({ call }: { call: CallView }) {
  return (
    <li className="dense">
      <SideShape side={call.side} />
      <span className="grow clip small">{call.eventTitle}</span>
      <CallPill call={call} />
      <span className="num strong small end amount-end">
        {call.netCents === null ? formatMoney(call.wagerCents) : formatChange(call.netCents)}
      </span>
    </li>
  );
}

/** What others do; and, for who has an account, what they say. */
function Feed() {
  const { table } = useView();
  const mayChat = useViewer()?.guest === false;
  const [chatting, setChatting] = useState(false);
  return (
    <section className="panel feed">
      <header>
        <h2>{chatting ? "Chat" : "Live"}</h2>
        <span className="push small ink2">{countOf(Math.max(1, table.playersOnline), "player")}</span>
        {mayChat ? (
          <button className="btn sm" type="button" onClick={() => setChatting(!chatting)}>
            {chatting ? "Live" : "Chat"}
          </button>
        ) : null}
      </header>
      {chatting ? <Chat /> : <Calls />}
    </section>
  );
}

function Chat() {
  const { table } = useView();
  const parts = useChatParts({ wanted: true });
  return parts === null ? null : <parts.ChatPanel session={table.session} />;
}

function Calls() {
  const { table } = useView();
  return (
    <ul className="body stack small ink2">
      {table.feed.length === 0 ? <li>It gets lively when calls come in.</li> : null}
      {table.feed.map((line) => (
        <li key={line.id}>{feedText(line, table.events)}</li>
      ))}
    </ul>
  );
}
