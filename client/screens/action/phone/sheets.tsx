import { type MouseEvent, useCallback, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import { useAwake } from "#client/base/browser/use-awake.ts";
import { useLateParts } from "#client/base/deferred/use-late-parts.ts";
import { countOf } from "#client/base/format/count.ts";
import { formatChange } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { useApi, useClosed, useViewer } from "#client/base/page/context.ts";
import { ChatPanel } from "#client/chat/chat-panel.tsx";
import { useVisibleHeight } from "#client/chat/use-visible-height.ts";
import { useView } from "#client/events/view.ts";
import { formatRank, rankChangeText } from "#client/leaderboard/rank-texts.ts";
import { refetchDelayMs } from "#client/leaderboard/refetch-delay.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { Avatar } from "#client/ui/avatar.tsx";
import { refusalText } from "#client/ui/forms/refused.ts";
import { Icon } from "#client/ui/icon.tsx";
import { showToast } from "#client/ui/toast.tsx";
import { say } from "#src/http/contract.ts";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import type { StageAnswer } from "#src/show/stage/schemas.ts";
import { BottomSheet } from "./bottom-sheet.tsx";
import { ReactionRow, Reactions } from "./reactions.tsx";
import { openSheet, useOpenSheet, useSheetHistory } from "./sheet-history.ts";

/** The sessions whose team this page has told the viewer. */
const told = new Set<number>();

const PODIUM = 3;

/** The sheets of the Action screen, and the reactions in its ticker. While a question is open, the device stays awake. */
export function Sheets() {
  useSheetHistory();
  useAwake(["open", "closing", "locking"].includes(useView().phase));
  return (
    <>
      <LeadersSheet />
      <ChatSheet />
      <InviteSheet />
      <Reactions />
    </>
  );
}

/** Opens the leaders instead of following the link to their page, except in another tab. */
export function openLeaders(event: MouseEvent): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  openSheet("leaders");
}

/**
 * The chat of the session on a phone. Once opened it stays connected while it is closed, so that a message that is being sent or
 * was refused is still there.
 */
function ChatSheet() {
  const { state } = useView();
  const guest = useViewer()?.guest === true;
  const open = useOpenSheet() === "chat";
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  useVisibleHeight(open);
  return (
    <BottomSheet name="chat" title={words.chat}>
      <ReactionRow />
      {guest ? <GuestWords /> : null}
      {opened && !guest ? <ChatPanel session={state.session} /> : null}
    </BottomSheet>
  );
}

function GuestWords() {
  const isClosed = useClosed("registration") !== undefined;
  return (
    <p className="bottom-sheet-body small ink2 nothing">
      The chat is for players with an account.{" "}
      {isClosed ? null : <Link to="/users/guest_registration">{words.finishYourAccount}</Link>}
    </p>
  );
}

/** The leaders of the session on a phone, as they change: the first three, the others, and the viewer's own row, which stays in sight. */
function LeadersSheet() {
  const { leaders, me, playersCount } = useView().state;
  const teams = useTeams();
  const below = me !== null && !leaders.some(({ userId }) => userId === me.userId);
  return (
    <BottomSheet
      name="leaders"
      title={words.leaders}
      aside={<span className="small ink2 num">{`of ${playersCount}, by questions won`}</span>}
    >
      <div className="bottom-sheet-body" tabIndex={0} role="region" aria-label={words.leaders}>
        {teams === null ? null : (
          <>
            <h3 className="small strong">{words.teams}</h3>
            <OwnTeamsList {...teams} />
            <h3 className="small strong">{words.players}</h3>
          </>
        )}
        {leaders.length === 0 ? (
          <p className="small ink2 nothing">
            Nobody has won or lost yet. The first result puts the players who called it here.
          </p>
        ) : null}
        <ol className="podium-three" aria-label={words.theFirstThree}>
          {/* A row stays where it is, and its content changes: nothing moves under the thumb. */}
          {leaders.slice(0, PODIUM).map((score, index) => (
            <PodiumPlace key={`place-${index + 1}`} score={score} mine={score.userId === me?.userId} />
          ))}
        </ol>
        <ol className="list" aria-label="The others">
          {leaders.slice(PODIUM).map((score, index) => (
            <Row key={`row-${index + 1}`} score={score} mine={score.userId === me?.userId} />
          ))}
          {below ? <Row score={me} mine /> : null}
        </ol>
      </div>
      <Foot ranked={me !== null} playersCount={playersCount} />
    </BottomSheet>
  );
}

type RowProps = { score: ScoreView; mine: boolean };

function PodiumPlace({ score, mine }: RowProps) {
  const { username, avatar, wins, losses, netCents } = score;
  return (
    <li className={mine ? "me" : undefined}>
      <Avatar name={username} avatar={avatar} size="lg" />
      <b className="rank num">{formatRank(score)}</b>
      <b className="clip" translate="no">
        {mine ? say`${username} (you)` : username}
      </b>
      <span className="small">{`${wins} won, ${losses} lost`}</span>
      <span className="small num" translate="no">
        {formatChange(netCents)}
      </span>
    </li>
  );
}

function Row({ score, mine }: RowProps) {
  const { username, wins, losses, netCents, rankChange } = score;
  return (
    <li className={mine ? "dense me" : "dense"}>
      <b className="rank num">{formatRank(score)}</b>
      <span className="grow">
        <span className={mine ? "clip strong" : "clip"} translate="no">
          {mine ? say`${username} (you)` : username}
        </span>
        <span className="tiny ink2 row nowrap">
          {rankChange ? <Icon name={rankChange > 0 ? "up" : "down"} size="s" /> : null}
          <span>{rankChangeText(rankChange)}</span>
        </span>
      </span>
      <span className="small">{`${wins} won, ${losses} lost`}</span>
      <span className="small num strong amount-end end" translate="no">
        {formatChange(netCents)}
      </span>
    </li>
  );
}

/** Why the viewer has no rank, and the way to the full list, which guests cannot open. */
function Foot({ ranked, playersCount }: { ranked: boolean; playersCount: number }) {
  const { state, data } = useView();
  const guest = useViewer()?.guest === true;
  const { exclusion } = data.leaders;
  const why =
    exclusion === null
      ? "You get a rank with your first result."
      : say`You are not ranked here: ${exclusion.reason}`;
  return (
    <footer>
      {ranked ? null : <p className="small ink2">{why}</p>}
      <button className="btn wide" type="button" onClick={() => openSheet("invite")}>
        Invite somebody
      </button>
      {guest || playersCount === 0 ? null : (
        <Link className="btn wide" to={`/sessions/${state.session.slug}/leaders`}>
          {`All ${countOf(playersCount, "player")}`}
        </Link>
      )}
    </footer>
  );
}

/** The teams in the sheet of the leaders, by rank, and a button to join each while the viewer may choose. */
function OwnTeamsList({ answer, choose }: OwnTeams) {
  const { session, teams = answer.teams } = useView().state;
  const { mine, changeable } = answer;
  useTellTeam(session.id, answer);
  return (
    <>
      <ol className="list" aria-label={words.teams}>
        {teams.map((team) => (
          <li key={team.number} className={team.number === mine ? "dense me" : "dense"}>
            <b className="rank num">{formatRank(team)}</b>
            <span className="grow">
              <span className={team.number === mine ? "clip strong" : "clip"} translate="no">
                {team.number === mine ? say`${team.name} (yours)` : team.name}
              </span>
              <span className="tiny ink2 num">{countOf(team.membersCount, "player")}</span>
            </span>
            <span className="num small strong" translate="no">
              {formatChange(team.scoreCents)}
            </span>
            {changeable && team.number !== mine ? (
              <button
                className="btn sm"
                type="button"
                aria-label={`Join ${team.name}`}
                onClick={() => choose(team.number)}
              >
                {words.join}
              </button>
            ) : null}
          </li>
        ))}
      </ol>
      <p className="small ink2 nothing">
        <span>The score is what a team has won, divided by its players and five more.</span>{" "}
        {changeable ? <span>{words.teamChangeHint}</span> : null}
      </p>
    </>
  );
}

/** Says once which team the viewer plays for, while it can be changed: nobody was asked before the first call. */
function useTellTeam(sessionId: number, { teams, mine, changeable }: TeamsAnswer): void {
  const name = changeable ? (teams.find(({ number }) => number === mine)?.name ?? null) : null;
  useEffect(() => {
    if (name === null || told.has(sessionId)) return;
    told.add(sessionId);
    showToast({ icon: "info", text: say`You play for ${name}.` });
  }, [name, sessionId]);
}

type OwnTeams = { answer: TeamsAnswer; choose: (number: number) => void };

/**
 * The teams of the session and the viewer's own, which is settled by the first call; null in a session without teams. They are fetched
 * once the page is used, and again when the viewer has made a first call or got a first result: from then on the team stays.
 */
function useTeams(): OwnTeams | null {
  const { session, events, me, playersCount } = useView().state;
  const { slug, settings } = session;
  const api = useApi();
  const [answer, setAnswer] = useState<TeamsAnswer | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const reload = useCallback(() => {
    api.get("/api/v1/scores/teams", { query: { sessionId: slug } }).then(
      setAnswer,
      // The next change fetches again.
      () => undefined,
    );
  }, [api, slug]);
  const isTeamed = "teams" in settings && settings.teams.length > 0;
  const isKnown = useRef(false);
  const isMine = events.some(({ myCalls }) => myCalls.length > 0);
  const changes = JSON.stringify([settings.teams, isMine, me !== null]);
  const crowd = useRef(playersCount);
  useEffect(() => {
    crowd.current = playersCount;
  });
  useEffect(() => {
    if (!isTeamed) return;
    // The first result comes to all pages at the same moment.
    const delayMs = isKnown.current ? refetchDelayMs(crowd.current, Math.random()) : 0;
    isKnown.current = true;
    clearTimeout(timer.current);
    timer.current = setTimeout(reload, delayMs);
  }, [isTeamed, changes, reload]);
  const choose = (number: number) => {
    api.put(`${sessionPath(slug)}/team`, { team: { number } }).then(reload, (error: unknown) => {
      const text =
        error instanceof ApiError
          ? refusalText(error)
          : "Your choice of a team could not be sent. Try again.";
      showToast({ icon: "warning", text, urgent: true });
    });
  };
  return answer === null || answer.teams.length === 0 ? null : { answer, choose };
}

const loadInvite = async () => (await import("./invite.tsx")).inviteParts;

/** How somebody else comes in: by the code, the link or its QR code, as the big screen shows them. */
function InviteSheet() {
  const { name, slug } = useView().state.session;
  const open = useOpenSheet() === "invite";
  const [asked, setAsked] = useState(open);
  if (open && !asked) setAsked(true);
  const parts = useLateParts(asked ? loadInvite : null);
  const way = useWayIn(slug, open);
  return (
    <BottomSheet name="invite" title="Invite">
      <div className="bottom-sheet-body">
        {parts === null || way === null ? (
          <p className="small ink2 nothing">Loading...</p>
        ) : (
          <parts.Invite {...way} name={name} />
        )}
      </div>
    </BottomSheet>
  );
}

type WayIn = Pick<StageAnswer, "joinCode" | "joinUrl">;

/** The code and the link, read again each time: a host may have renewed them. */
function useWayIn(slug: string, open: boolean): WayIn | null {
  const api = useApi();
  const [way, setWay] = useState<WayIn | null>(null);
  useEffect(() => {
    if (!open) return;
    const left = new AbortController();
    api.get(`${sessionPath(slug)}/stage`, { signal: left.signal }).then(setWay, () => undefined);
    return () => left.abort();
  }, [api, slug, open]);
  return way;
}
