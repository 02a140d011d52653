import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useActionData, useLoaderData, useRevalidator } from "react-router";
import { type Api, ApiError, endingWith } from "#client/base/api/api.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { countOf } from "#client/base/format/count.ts";
import { formatChange, formatShare } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { listen } from "#client/base/live/cable.ts";
import { isDismissed } from "#client/base/live/connection.ts";
import { useApi, usePage, useViewer } from "#client/base/page/context.ts";
import { useOwnCalls } from "#client/calls/own-calls.ts";
import { formatRank, placeOf, rankChangeText, rankedBy } from "#client/leaderboard/rank-texts.ts";
import { refetchDelayMs } from "#client/leaderboard/refetch-delay.ts";
import { Avatar } from "#client/ui/avatar.tsx";
import { EmptyPanel } from "#client/ui/empty-state.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { CURRENT_SEASON } from "#db/lists/seasons.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import { say } from "#src/http/contract.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import { fetchLeaders, type Leaderboard, type LeaderboardData, type LeadersData } from "./load-leaders.ts";
import { ManageLeaderboard, type ManageResult } from "./manage-leaderboard.tsx";

type BoardViewProps = {
  /** The session's slug; null: all sessions. */
  slug: string | null;
  /** The session whose messages update the table; null: none. */
  sessionId: number | null;
  data: LeaderboardData;
  /** What is shown below the table, as it is now. */
  children: (leaderboard: Leaderboard) => ReactNode;
};

/** The table of ranks, why the viewer is not in it, and for admins the forms to manage it. */
export function LeaderboardView({ slug, sessionId, data, children }: BoardViewProps) {
  const leaderboard = useLiveLeaderboard(data.leaderboard, sessionId);
  const result = useActionData<ManageResult>();
  const table = (
    <div className="stack wide">
      {leaderboard.exclusion === null ? null : (
        <Note tone="warn">{say`You are not ranked here: ${leaderboard.exclusion.reason}`}</Note>
      )}
      <ScoreTable leaderboard={leaderboard} />
      {children(leaderboard)}
      {leaderboard.scores.length === 0 ? null : (
        <p className="small ink2">
          <span>{rankedBy}</span>{" "}
          <span>A right call that nobody opposed counts as neither Won nor Lost.</span>
        </p>
      )}
      <RankAnnouncer leaderboard={leaderboard} />
    </div>
  );
  if (data.exclusions === null) return table;
  return (
    <div className="split">
      {table}
      <ManageLeaderboard
        slug={slug}
        scores={leaderboard.scores}
        exclusions={data.exclusions}
        result={result}
      />
    </div>
  );
}

/** Announces a change of the viewer's rank to screen readers. */
function RankAnnouncer({ leaderboard: { me, totalCount } }: { leaderboard: Leaderboard }) {
  const rank = me === null ? null : formatRank(me);
  const place = me === null ? "" : placeOf(me, totalCount);
  const previous = useRef(rank);
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (rank !== null && previous.current !== null && rank !== previous.current) {
      setAnnouncement(`You are ${place} now.`);
    }
    previous.current = rank;
  }, [rank, place]);
  return (
    <p className="vh" aria-live="polite">
      {announcement}
    </p>
  );
}

/**
 * A leaderboard, updated by the cable.
 * @param sessionId the session whose messages report changes; null: none.
 */
function useLiveLeaderboard(loaded: Leaderboard, sessionId: number | null): Leaderboard {
  const api = useApi();
  const { cableUrl, viewer, streamOffsets } = usePage();
  const { revalidate } = useRevalidator();
  const [shown, setShown] = useState({ loaded, leaderboard: loaded });
  // Newly loaded data replaces what the cable has updated.
  const leaderboard = shown.loaded === loaded ? shown.leaderboard : loaded;
  const latest = useRef({ loaded, leaderboard, revalidate });
  useEffect(() => {
    latest.current = { loaded, leaderboard, revalidate };
  });
  const played = useRef(false);
  useOwnCalls(({ call }) => {
    if (call.state === "closed" || call.state === "resolved") played.current = true;
  });
  const viewerId = viewer?.id ?? null;
  const offset = streamOffsets.session?.id === sessionId ? streamOffsets.session : null;
  useEffect(() => {
    if (sessionId === null || viewerId === null) return;
    return subscribeToLeaderboard(
      { api, cableUrl, sessionId, offset },
      {
        viewerId,
        leaderboard: () => latest.current.leaderboard,
        hasPlayed: () => played.current || latest.current.leaderboard.me !== null,
        show: (next) => {
          latest.current.leaderboard = next;
          setShown({ loaded: latest.current.loaded, leaderboard: next });
        },
        reload: () => latest.current.revalidate(),
      },
    );
  }, [api, cableUrl, sessionId, offset, viewerId]);
  return leaderboard;
}

/** Players by rank. The viewer's own row is added where it is not on this page. */
function ScoreTable({ leaderboard: { scores, me, totalCount } }: { leaderboard: Leaderboard }) {
  const viewer = useViewer();
  const linked = useMayLeaveSession();
  if (scores.length === 0) return <NoScores />;
  const rows = me === null || scores.some(({ userId }) => userId === me.userId) ? scores : [...scores, me];
  const isMine = ({ userId }: ScoreView) => userId === viewer?.id || userId === me?.userId;
  const columns: readonly Column<ScoreView>[] = [
    { head: words.rank, cell: formatRank, cellClass: "num rank" },
    {
      head: words.player,
      cell: (score) => <Player score={score} mine={isMine(score)} linked={linked} />,
    },
    { head: words.won, cell: ({ wins }) => wins, end: true, cellClass: "num strong" },
    { head: words.lost, cell: ({ losses }) => losses, end: true, cellClass: "num" },
    {
      head: words.accuracy,
      cell: ({ accuracy }) => formatShare(accuracy, { digits: 0 }),
      end: true,
      cellClass: "num",
      className: "only-desktop",
    },
    {
      head: words.net,
      cell: ({ netCents }) => formatChange(netCents),
      end: true,
      cellClass: "num strong",
      verbatim: true,
    },
  ];
  return (
    <section className="panel scores">
      <Table
        caption={`${countOf(totalCount, "player")} by rank`}
        columns={columns}
        rows={rows}
        keyOf={({ userId }) => userId}
        rowClass={(score) => (isMine(score) ? "me" : undefined)}
      />
    </section>
  );
}

type PlayerProps = { score: ScoreView; mine: boolean; linked: boolean };

function Player({ score: { userId, username, avatar, rankChange }, mine, linked }: PlayerProps) {
  const name = mine ? say`${username} (you)` : username;
  return (
    <span className="row">
      <span className="only-desktop">
        <Avatar name={username} avatar={avatar} />
      </span>
      <span className="names">
        <b className="clip" translate="no">
          {linked ? <Link to={`/leaderboard/${userId}`}>{name}</Link> : name}
        </b>
        <RankChange ranks={rankChange} />
      </span>
    </span>
  );
}

function RankChange({ ranks }: { ranks: number | null }) {
  if (!ranks)
    return (
      <span className="tiny muted">
        <span>{rankChangeText(ranks)}</span>
      </span>
    );
  return (
    <span className="tiny muted row nowrap change">
      <Icon name={ranks > 0 ? "up" : "down"} size="s" />
      <span>{rankChangeText(ranks)}</span>
    </span>
  );
}

function NoScores() {
  return (
    <EmptyPanel icon="trophy" title="Nobody has won or lost yet">
      <p>The first result puts the players who called it here.</p>
    </EmptyPanel>
  );
}

type Leaders = Extract<SessionMessage, { sourceType: "Score" }>["detail"];

/** The page that shows the leaderboard. */
type Subscriber = {
  viewerId: number;
  /** The leaderboard as the page shows it now. */
  leaderboard: () => Leaderboard;
  /** The viewer has played in this session and so has a row. */
  hasPlayed: () => boolean;
  show: (leaderboard: Leaderboard) => void;
  /** Loads the page's data again, where it shows one page of the whole list. */
  reload: () => Promise<void>;
};

type Source = {
  api: Api;
  cableUrl: string;
  sessionId: number;
  /** The stream's offset when the page was rendered; null where it is unknown. */
  offset: StreamOffset | null;
};

/**
 * Updates a leaderboard from the cable. A message brings the session's first rows. What it does not bring (the row of a viewer
 * further down, a page of the whole list) is fetched after a random delay, one request at a time.
 * @returns ends the subscription.
 */
export function subscribeToLeaderboard(
  { api, cableUrl, sessionId, offset }: Source,
  subscriber: Subscriber,
): () => void {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let receivedCount = 0;

  const refetchLater = (playersCount: number) => {
    timer ??= setTimeout(() => void refetch(), refetchDelayMs(playersCount, Math.random()));
  };
  const refetch = async () => {
    if (isDismissed()) return;
    const receivedBefore = receivedCount;
    const shown = subscriber.leaderboard();
    try {
      if (shown.meta !== null) await subscriber.reload();
      else subscriber.show(await fetchLeaders(endingWith(ended.signal, api), String(sessionId)));
    } catch (error) {
      // The next message or the next connect fetches again.
      if (!ended.signal.aborted && !(error instanceof ApiError || error instanceof Unreachable)) throw error;
    }
    timer = undefined;
    if (receivedCount !== receivedBefore && !ended.signal.aborted) {
      refetchLater(subscriber.leaderboard().totalCount);
    }
  };
  const receive = ({ leaders: scores, totalCount }: Leaders) => {
    receivedCount += 1;
    const shown = subscriber.leaderboard();
    if (shown.meta !== null) return refetchLater(totalCount);
    const own = scores.find(({ userId }) => userId === subscriber.viewerId);
    subscriber.show({ ...shown, scores, totalCount, me: own ?? shown.me });
    if (own === undefined && subscriber.hasPlayed()) refetchLater(totalCount);
  };

  const stop = listen(
    cableUrl,
    { channel: "SessionsChannel", id: String(sessionId), offset },
    {
      missed: () => refetchLater(subscriber.leaderboard().totalCount),
      received: (message) => {
        if (message.sourceType === "Score") receive(message.detail);
      },
    },
  );
  return () => {
    stop();
    ended.abort();
    clearTimeout(timer);
  };
}

/** The leaderboard over all sessions. The messages of the active session update it. */
export function LeaderboardScreen() {
  const { leaders } = useLoaderData<LeadersData>();
  const sessionId = usePage().activeSession?.id ?? null;
  return (
    <PageLayout title={words.leaderboard} actions={<Scope shown="all" />}>
      <WhenLoaded data={leaders}>
        {(data) => (
          <LeaderboardView slug={null} sessionId={sessionId} data={data}>
            {({ meta }) => (meta === null ? null : <Pagination meta={meta} />)}
          </LeaderboardView>
        )}
      </WhenLoaded>
    </PageLayout>
  );
}

type Tab = "all" | "season" | "session";

/**
 * The tabs of the leaderboards: all time, the season that runs, and the session that is shown or live. Guests see the session's in
 * the game, and the other pages are not for them.
 * @param shown the tab of this page; null for a page of none, such as a season that has ended.
 * @param slug of the shown session.
 */
export function Scope({ shown, slug = null }: { shown: Tab | null; slug?: string | null }) {
  const { activeSession, viewer } = usePage();
  const session = slug ?? activeSession?.slug;
  const mayLeave = useMayLeaveSession();
  if (viewer === null || viewer.guest) return null;
  const tabs: [Tab, path: string, label: string][] = [
    ...(mayLeave ? [["all", "/leaderboard", "All time"] satisfies [Tab, string, string]] : []),
    ["season", `/seasons/${CURRENT_SEASON}`, "This season"],
    ...(session === undefined
      ? []
      : [["session", `/sessions/${session}/leaders`, "This session"] satisfies [Tab, string, string]]),
  ];
  return (
    <nav className="seg" aria-label="Scope">
      {tabs.map(([tab, path, label]) => (
        <Link key={tab} to={path} aria-current={tab === shown ? "page" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** False for guests, and for players while a session is active: the other pages of the leaderboard redirect them. */
function useMayLeaveSession(): boolean {
  const { activeSession, viewer } = usePage();
  if (viewer?.guest === true) return false;
  return viewer?.roles.includes("admin") === true || activeSession === null;
}
