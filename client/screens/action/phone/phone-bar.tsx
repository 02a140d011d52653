import type { MouseEvent } from "react";
import { Link } from "react-router";
import { formatCount } from "#client/base/format/count.ts";
import { useViewer } from "#client/base/page/context.ts";
import { ChatLink } from "#client/events/chat-link.tsx";
import { useView } from "#client/events/view.ts";
import { formatRank, rankChangeText } from "#client/leaderboard/rank-texts.ts";
import { Icon } from "#client/ui/icon.tsx";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import { openSheet } from "./sheet-history.ts";
import { usePhoneParts } from "./use-phone-parts.ts";

/**
 * What wide screens have in the rail, on a phone beside the tabs: the viewer's rank, which opens the leaders, and the chat.
 * Without JavaScript both are links to pages. Admins have tabs for both.
 */
export function PhoneBar() {
  const viewer = useViewer();
  const { me, playersCount, session } = useView().state;
  const hidden = viewer === null || viewer.roles.includes("admin");
  const parts = usePhoneParts({ enabled: !hidden });
  if (hidden) return null;
  return (
    <div className="phone-bar">
      <MyRank
        path={viewer.guest ? null : `/sessions/${session.slug}/leaders`}
        me={me}
        players={playersCount}
        onClick={parts?.openLeaders}
      />
      {parts === null ? null : <parts.ChatButton />}
      {viewer.guest ? null : <ChatLink slug={session.slug} />}
    </div>
  );
}

/** What the bar opens, and the reactions in the ticker. */
export function PhoneParts() {
  const parts = usePhoneParts({ enabled: useViewer() !== null });
  return parts === null ? null : <parts.Sheets />;
}

type MyRankProps = {
  /** The page of the leaders, for browsers without JavaScript; null for guests, who have the sheet alone. */
  path: string | null;
  me: ScoreView | null;
  players: number;
  onClick: ((event: MouseEvent) => void) | undefined;
};

/** "=3 of 52", with an arrow and how many ranks the last result moved the player. */
function MyRank({ path, me, players, onClick }: MyRankProps) {
  const shown = (
    <>
      <Icon name="trophy" size="s" />
      {me === null ? <b className="num">Ranks</b> : <Rank me={me} players={players} />}
    </>
  );
  return path === null ? (
    <button className="my-rank" type="button" onClick={() => openSheet("leaders")}>
      {shown}
    </button>
  ) : (
    <Link className="my-rank" to={path} onClick={onClick}>
      {shown}
    </Link>
  );
}

function Rank({ me, players }: { me: ScoreView; players: number }) {
  const { rankChange: ranks } = me;
  return (
    <>
      <span className="vh">My rank: </span>
      <b className="num">{formatRank(me)}</b>
      <span className="num of">{` of ${formatCount(players)}`}</span>
      <span className="vh">{rankChangeText(ranks)}</span>
      {ranks ? (
        <span className="num moved" aria-hidden="true">
          <Icon name={ranks > 0 ? "up" : "down"} size="s" />
          <span>{Math.abs(ranks)}</span>
        </span>
      ) : null}
    </>
  );
}
