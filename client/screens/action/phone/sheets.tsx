import {
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { Link } from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import { keepStill } from "#client/base/browser/still-places.ts";
import { useAwake } from "#client/base/browser/use-awake.ts";
import { formatChange } from "#client/base/format/money.ts";
import { useApi, useViewer } from "#client/base/page/context.ts";
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
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import { LiveLine } from "./live-line.tsx";
import { chatTexts, leadersTexts, sheetTexts, teamsTexts } from "./phone-texts.ts";
import { ReactionRow, Reactions } from "./reactions.tsx";
import { closeSheet, openSheet, type SheetName, useOpenSheet, useSheetHistory } from "./sheet-history.ts";

/** The sessions whose team this page has told the viewer. */
const told = new Set<number>();

const PODIUM = 3;

/** A sheet that is pulled down this far, in pixels, or thrown this fast, in pixels a millisecond, closes. */
const CLOSES_FROM_PX = 96;
const CLOSES_FROM_SPEED = 0.6;

/** The sheets of the Action screen, and the reactions in its ticker. While a question is open, the device stays awake. */
export function Sheets() {
  useSheetHistory();
  useAwake(["open", "closing", "locking"].includes(useView().phase));
  return (
    <>
      <LeadersSheet />
      <ChatSheet />
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
    <BottomSheet name="chat" title={chatTexts.title}>
      <ReactionRow />
      {guest ? <GuestWords /> : null}
      {opened && !guest ? <ChatPanel session={state.session} /> : null}
    </BottomSheet>
  );
}

function GuestWords() {
  return (
    <p className="bottom-sheet-body small ink2 nothing">
      {chatTexts.guest} <Link to="/users/guest_registration">{chatTexts.finish}</Link>
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
      title={leadersTexts.title}
      aside={<span className="small ink2 num">{leadersTexts.ofPlayers(playersCount)}</span>}
    >
      <div className="bottom-sheet-body" tabIndex={0} role="region" aria-label={leadersTexts.title}>
        {teams === null ? null : <OwnTeamsList {...teams} />}
        {leaders.length === 0 ? <p className="small ink2 nothing">{leadersTexts.none}</p> : null}
        <ol className="podium-three" aria-label={leadersTexts.first}>
          {/* A row stays where it is, and its content changes: nothing moves under the thumb. */}
          {leaders.slice(0, PODIUM).map((score, index) => (
            <PodiumPlace key={`place-${index + 1}`} score={score} mine={score.userId === me?.userId} />
          ))}
        </ol>
        <ol className="list" aria-label={leadersTexts.others}>
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
        {mine ? leadersTexts.you(username) : username}
      </b>
      <span className="small">{leadersTexts.record(wins, losses)}</span>
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
          {mine ? leadersTexts.you(username) : username}
        </span>
        <span className="tiny ink2 row nowrap">
          {rankChange ? <Icon name={rankChange > 0 ? "up" : "down"} size="s" /> : null}
          <span>{rankChangeText(rankChange)}</span>
        </span>
      </span>
      <span className="small">{leadersTexts.record(wins, losses)}</span>
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
  const why = exclusion === null ? leadersTexts.noRank : leadersTexts.notRanked(exclusion.reason);
  return (
    <footer>
      {ranked ? null : <p className="small ink2">{why}</p>}
      {guest || playersCount === 0 ? null : (
        <Link className="btn wide" to={`/sessions/${state.session.slug}/leaders`}>
          {leadersTexts.all(playersCount)}
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
      <ol className="list" aria-label={teamsTexts.title}>
        {teams.map((team) => (
          <li key={team.number} className={team.number === mine ? "dense me" : "dense"}>
            <b className="rank num">{formatRank(team)}</b>
            <span className="grow">
              <span className={team.number === mine ? "clip strong" : "clip"} translate="no">
                {team.number === mine ? teamsTexts.mine(team.name) : team.name}
              </span>
              <span className="tiny ink2 num">{teamsTexts.members(team.membersCount)}</span>
            </span>
            <span className="num small strong" translate="no">
              {formatChange(team.scoreCents)}
            </span>
            {changeable && team.number !== mine ? (
              <button
                className="btn sm"
                type="button"
                aria-label={teamsTexts.joinTeam(team.name)}
                onClick={() => choose(team.number)}
              >
                {teamsTexts.join}
              </button>
            ) : null}
          </li>
        ))}
      </ol>
      <p className="small ink2 nothing">
        <span>{teamsTexts.score}</span> {changeable ? <span>{teamsTexts.choose}</span> : null}
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
    showToast({ icon: "info", text: teamsTexts.youPlayFor(name) });
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
      const text = error instanceof ApiError ? refusalText(error) : teamsTexts.notChosen;
      showToast({ icon: "warning", text, urgent: true });
    });
  };
  return answer === null || answer.teams.length === 0 ? null : { answer, choose };
}

type BottomSheetProps = {
  name: SheetName;
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  children: ReactNode;
};

/**
 * A sheet over the lower part of the Action screen. The question and its clock stay at its top. A modal dialog holds the focus in
 * it and gives it back. The close button, Escape, "Back", a tap beside it and a pull on its head close it.
 */
function BottomSheet({ name, title, aside, children }: BottomSheetProps) {
  const open = useOpenSheet() === name;
  const dialog = useRef<HTMLDialogElement>(null);
  const { sheet, head } = useDragDown(closeSheet);
  useEffect(() => {
    if (!open) dialog.current?.close();
    else if (dialog.current?.open === false) dialog.current.showModal();
  }, [open]);
  const id = `${name}-sheet-title`;
  return (
    <dialog
      className="bottom-sheet"
      ref={dialog}
      aria-labelledby={id}
      onCancel={closeFirst}
      // The browser may close it without asking.
      onClose={() => open && closeSheet()}
      onClick={closeBeside}
    >
      <div className="bottom-sheet-panel" ref={sheet}>
        <header {...head}>
          <h2 id={id}>{title}</h2>
          {aside}
          <button
            className="btn bare sq push"
            type="button"
            aria-label={sheetTexts.close(title)}
            onClick={closeByCross}
          >
            <Icon name="cross" />
          </button>
        </header>
        {open ? <LiveLine /> : null}
        {children}
      </div>
    </dialog>
  );
}

/** The second press of a double click must not hit what the sheet has covered. */
function closeByCross({ currentTarget }: MouseEvent): void {
  keepStill(currentTarget);
  closeSheet();
}

/** The history decides what is open, so it closes first. */
function closeFirst(event: SyntheticEvent): void {
  event.preventDefault();
  closeSheet();
}

/** The dialog fills the window, and its panel lies at the bottom. */
function closeBeside({ target, currentTarget }: MouseEvent<HTMLDialogElement>): void {
  if (target === currentTarget) closeSheet();
}

type Drag = { startY: number; startMs: number };

/**
 * Lets a finger or a mouse pull a sheet down by its head.
 * @param onClose called when it was pulled far or fast enough; otherwise the sheet moves back.
 * @returns the ref of the sheet, which follows the pointer, and the handlers of its head. Its buttons and links stay usable.
 */
function useDragDown(onClose: () => void) {
  const sheet = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  const move = (px: number) => {
    if (sheet.current !== null) sheet.current.style.translate = px === 0 ? "" : `0 ${px}px`;
  };
  const pulled = (event: PointerEvent) =>
    drag.current === null ? 0 : Math.max(0, event.clientY - drag.current.startY);
  const head = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (!event.isPrimary || isControl(event.target)) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { startY: event.clientY, startMs: event.timeStamp };
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag.current !== null) move(pulled(event));
    },
    onPointerUp: (event: PointerEvent) => {
      const px = pulled(event);
      const ms = drag.current === null ? 0 : event.timeStamp - drag.current.startMs;
      drag.current = null;
      move(0);
      if (px > CLOSES_FROM_PX || (px > CLOSES_FROM_PX / 4 && px / ms > CLOSES_FROM_SPEED)) onClose();
    },
    onPointerCancel: () => {
      drag.current = null;
      move(0);
    },
  };
  return { sheet, head };
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a, button, input, textarea") !== null;
}
