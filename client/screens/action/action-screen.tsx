import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useActionData, useRouteLoaderData } from "react-router";
import { whenIdle } from "#client/base/browser/when-idle.ts";
import { Boundary } from "#client/base/deferred/boundary.tsx";
import { useLateParts } from "#client/base/deferred/use-late-parts.ts";
import { countOf, formatCount } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import { formatClock, formatTime } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { trueNow } from "#client/base/live/clock.ts";
import { useSync } from "#client/base/live/connection.ts";
import { fetchLate } from "#client/base/live/late-code.ts";
import { useViewer } from "#client/base/page/context.ts";
import { newestCall, viewerCallsOn } from "#client/calls/viewer-calls.ts";
import { EventCard } from "#client/card/event-card.tsx";
import { placeCall, Sides } from "#client/card/sides.tsx";
import { placeAgain, sayAfterPause } from "#client/card/slip.tsx";
import { Forms, useWagerMax, WagerRow } from "#client/card/wager-row.tsx";
import { chosenEventAt, type Phase, type Shown, useCurrentEvent } from "#client/events/current-event.ts";
import { useNextText } from "#client/events/next-text.ts";
import { usePlayersHere } from "#client/events/players-here.ts";
import { refundCause, resultLabel } from "#client/events/result-label.ts";
import { usePlacing } from "#client/events/use-placing.ts";
import {
  type ActionRefusal,
  boundWager,
  offerKept,
  readWager,
  setWager,
  stepWager,
  wagerAll,
} from "#client/events/use-wager.ts";
import {
  type ActionHandlers,
  HandlersContext,
  isRankKnown,
  useView,
  type View,
  ViewContext,
} from "#client/events/view.ts";
import { usePurse } from "#client/events/wager-fault.ts";
import { rankNews } from "#client/leaderboard/rank-texts.ts";
import { useAfterResult } from "#client/results/after-result.ts";
import type { SessionData } from "#client/sessions/load-session.ts";
import { WatcherRow } from "#client/sign-ins/watcher-row.tsx";
import { soundAndVibration } from "#client/sound-and-vibration/sound-and-vibration.ts";
import { BreakRow, useBreak } from "#client/spending/break-row.tsx";
import { Icon, type IconName } from "#client/ui/icon.tsx";
import { showToast } from "#client/ui/toast.tsx";
import { SESSION_ROUTE } from "#client/ui/use-here.ts";
import { say } from "#src/http/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { EndOfSession } from "./end/end-of-session.tsx";
import { feedText } from "./feed-text.ts";
import { OpenForDays, useChosenId } from "./open-for-days.tsx";
import { PhoneBar, PhoneParts } from "./phone/phone-bar.tsx";
import { Rail } from "./sidebar.tsx";
import { type KeyActions, useKeys } from "./use-keys.ts";
import { useLiveAction } from "./use-live-action.ts";
import { useWaitingParts } from "./waiting/use-waiting-parts.ts";

/** Without JavaScript the page is loaded again after so long, while what it shows goes on by itself. */
const RELOAD_S = "20";
const RELOADED: readonly Phase[] = ["visible", "open", "closing", "locking", "closed"];
const loadAnnouncer = async () => {
  await new Promise<void>(whenIdle);
  return (await fetchLate(() => import("./announcer.tsx"))).announcerParts;
};
const loadHelp = async () => (await import("./help-dialog.tsx")).helpParts;

/** Nobody has read a question before. */
const UNREAD_MS = 500;

/** The live screen: the question, the clock, the pool, and the two sides under the thumb. */
export function ActionScreen() {
  const slug = useRouteLoaderData<SessionData>(SESSION_ROUTE)?.session.slug;
  // The key resets all state when another session is opened.
  return <Live key={slug} />;
}

function Live() {
  const view = useScreenView();
  const { state, phase } = view;
  const [helping, setHelping] = useState(false);
  const sides = useRef<HTMLDivElement>(null);
  useKeys({
    ...keyActionsOf(view),
    focusSide: (side) => sides.current?.querySelector<HTMLElement>(`.side.${side}`)?.focus(),
    help: () => setHelping(true),
  });
  useEffect(() => soundAndVibration.follow(view));
  return (
    <ViewContext value={view}>
      <Handlers view={view}>
        <main>
          <Reloads phase={phase} />
          <PhoneBar />
          <EndOfSession isStopped={state.session.state === "stopped"} isOver={phase === "stopped"}>
            <Table sides={sides} />
          </EndOfSession>
          <Ticker />
          <PhoneParts />
          <Forms />
          <Late helping={helping} onHelped={() => setHelping(false)} />
        </main>
        {/* Below the first screen of a phone, so it is hydrated in a task of its own. */}
        <Boundary>
          <Rail />
        </Boundary>
      </Handlers>
    </ViewContext>
  );
}

function useScreenView(): View {
  const { state, data, applyCall, recall } = useLiveAction();
  const chosenId = useChosenId();
  const chooseAt = useCallback(
    (shown: Shown, nowMs: number) => chosenEventAt(shown, nowMs, chosenId),
    [chosenId],
  );
  const current = useCurrentEvent(state, data.serverTime, chooseAt);
  const { event, takesCalls } = current;
  const sync = useSync();
  const refused = sync === "refused";
  const offline = sync === "offline" || refused;
  const placing = usePlacing(applyCall);
  const refusal = useActionData<ActionRefusal>()?.refusal ?? null;
  const watching = useViewer() === null;
  const isNew = useUnread(event);
  const breakUntil = useBreak(data.serverTime);
  const takesMine = takesCalls && !offline && !watching && breakUntil === null;
  return {
    ...current,
    state,
    data,
    recall,
    offline,
    refused,
    watching,
    breakUntil,
    playable: takesMine && !isNew,
    unread: takesMine && isNew,
    viewerCalls: event === null ? null : viewerCallsOn(event),
    placing: {
      ...placing,
      refusal: placing.refusal ?? refusal,
      takenBack: takesMine ? ofEvent(placing.takenBack, event) : null,
    },
  };
}

/** What the first look does not need: what screen readers hear of the show, and the help. */
function Late({ helping, onHelped }: { helping: boolean; onHelped: () => void }) {
  const announcer = useLateParts(loadAnnouncer);
  const help = useLateParts(helping ? loadHelp : null);
  return (
    <>
      {announcer === null ? null : <announcer.Announcer />}
      {helping && help !== null ? <help.HelpDialog onClose={onHelped} /> : null}
    </>
  );
}

function Reloads({ phase }: { phase: Phase }) {
  return (
    <noscript>{RELOADED.includes(phase) ? <meta httpEquiv="refresh" content={RELOAD_S} /> : null}</noscript>
  );
}

function ofEvent(call: CallView | null, event: EventView | null): CallView | null {
  return call?.eventId === event?.id ? call : null;
}

function keyActionsOf(view: View): Pick<KeyActions, "stepWager" | "cancel" | "undo"> {
  const { event, state, offline, watching, unread, placing } = view;
  return {
    stepWager: (direction) => {
      if (watching) return;
      stepWager(direction);
      placing.announce(`Wager ${formatMoney(readWager().cents)}.`);
    },
    cancel: () => {
      const newest = event === null ? null : newestCall(event, state.session.pausedAt, trueNow());
      if (newest === null || offline) return;
      if (unread) askToRead();
      else if (newest.why === "paused") sayAfterPause();
      else void placing.cancel(newest.call);
    },
    undo: () => placeAgain(view),
  };
}

/** Nobody has read the question on the card: a press was meant for the one before. */
function askToRead(): void {
  showToast({ icon: "info", text: "New question. Read it first.", urgent: true });
}

/** What is played: the question, the wager and the two sides. */
function Table({ sides }: { sides: RefObject<HTMLDivElement | null> }) {
  const { watching, phase } = useView();
  const parts = useWaitingParts({ enabled: phase === "pending" && !watching });
  const waiting = phase === "pending" ? parts : null;
  return (
    <>
      <div className="card-slot" id="main" tabIndex={-1}>
        <OpenForDays />
        <EventCard
          waiting={waiting === null ? null : { pool: <waiting.WhoIsIn />, slip: <waiting.PracticeRow /> }}
        />
      </div>
      <div className="hand">
        <Wager />
        {waiting === null ? <Sides group={sides} /> : <waiting.PracticeSides group={sides} />}
      </div>
    </>
  );
}

/** How much is wagered; for who cannot wager, what to do instead. */
function Wager() {
  const { watching, breakUntil } = useView();
  if (watching) return <WatcherRow />;
  return breakUntil === null ? <WagerRow /> : <BreakRow until={breakUntil} />;
}

/**
 * What the buttons do, for the parts that do not read the view. The handlers stay the same, so that a press renders only what it
 * changes.
 */
function Handlers({ view, children }: { view: View; children: ReactNode }) {
  const purse = usePurse(view);
  const maxCents = useWagerMax(view);
  const latest = useRef({ view, purse });
  // Before anybody can press what is shown now.
  useLayoutEffect(() => {
    latest.current = { view, purse };
  });
  useLayoutEffect(() => boundWager(maxCents), [maxCents]);
  useLayoutEffect(offerKept, [view.event?.id]);
  /** The question under the finger when the press began; null for a press without a beginning. */
  const aimedAt = useRef<string | null>(null);
  const [handlers] = useState<ActionHandlers>(() => ({
    aim: () => {
      const { unread, event } = latest.current.view;
      aimedAt.current = unread ? "" : questionOf(event);
    },
    call: (side, add = false) => {
      const { view: now, purse: held } = latest.current;
      const isMeant = aimedAt.current === null || aimedAt.current === questionOf(now.event);
      aimedAt.current = null;
      if (now.unread || (now.playable && !isMeant)) askToRead();
      else placeCall(now, { side, add }, held);
    },
    setWager,
    stepWager,
    wagerAll,
    refuse: (reason) => latest.current.view.placing.refuse(reason),
  }));
  return <HandlersContext value={handlers}>{children}</HandlersContext>;
}

/** One line about the latest news; a refusal is shown until the next call. */
function Ticker() {
  const view = useView();
  const zone = useTimeZone();
  const { line, move } = useAfterResult();
  const playersHere = usePlayersHere(view.state.playersOnline);
  const next = useNextText();
  const after = afterResult(view, move, next);
  const presence = playersHere === 0 ? "Nobody plays here yet." : `${countOf(playersHere, "player")} here.`;
  const { icon, text } = newsOf(view, { zone, announced: line, next, presence, after });
  const refused = view.placing.refusal !== null || view.closeWarning !== "";
  return (
    <div className={refused ? "ticker refused" : "ticker"}>
      <Icon name={icon} />
      <span>{text}</span>
    </div>
  );
}

type NewsLine = { icon: IconName; text: string };

/** @param announced the last result, which the result bar announces or has announced. */
function newsOf(
  view: View,
  {
    zone,
    announced,
    next,
    presence,
    after,
  }: Record<"zone" | "presence" | "after", string> & Record<"announced" | "next", string | null>,
): NewsLine {
  const { state, event, phase } = view;
  const trouble = troubleOf(view, zone);
  if (trouble !== null) return trouble;
  if (announced !== null) return { icon: "trophy", text: announced + rankNews(state.me, state.playersCount) };
  if (phase === "paused" && state.session.pausedAt !== null) {
    const at = formatTime(state.session.pausedAt, zone);
    return { icon: "pause", text: `Paused at ${at}. ${presence}` };
  }
  if (event === null || phase === "visible" || phase === "withdrawn") return { icon: "info", text: presence };
  if (phase === "closed" && event.closedAt !== null) {
    const closed = `Closed at ${formatTime(event.closedAt, zone)}.`;
    return { icon: "lock", text: next === null ? closed : `${next}. ${closed}` };
  }
  if (phase === "resolved") return { icon: "trophy", text: resultNews(event) + after };
  return { icon: "bolt", text: callsNews(event, state, presence) };
}

/** The row of the slip says how the viewer has moved, and otherwise what comes next: the ticker says the other. */
function afterResult(view: View, move: string, next: string | null): string {
  if (move !== "") return next === null ? "" : ` ${next}.`;
  return isRankKnown(view) ? rankNews(view.state.me, view.state.playersCount) : "";
}

/** What comes before all news: a refusal, a lost connection, and calls that come too late. */
function troubleOf({ placing, offline, refused, state, closeWarning }: View, zone: string): NewsLine | null {
  if (placing.refusal !== null) return { icon: "warning", text: placing.refusal };
  if (offline) {
    return {
      icon: "offline",
      text: refused
        ? `Last update ${formatClock(state.asOf, zone)}.`
        : `Last update ${formatClock(state.asOf, zone)}. Trying again.`,
    };
  }
  return closeWarning === "" ? null : { icon: "warning", text: closeWarning };
}

/** The newest call of another player, and how many there are. */
function callsNews(event: NonNullable<View["event"]>, state: View["state"], presence: string): string {
  const calls = `${countOf(event.callsCount, "call")} so far.`;
  const last = state.feed.findLast((entry) => entry.eventId === event.id);
  return last === undefined ? `${calls} ${presence}` : `${feedText(last)}. ${calls}`;
}

function resultNews(event: NonNullable<View["event"]>): string {
  if (event.voided)
    return (
      event.resultReason ?? (event.callsCount === 0 ? "Nobody had called it." : "All wagers were refunded.")
    );
  const right = event.spots.find((spot) => spot.won === true);
  const cause = event.callsCount === 0 ? null : refundCause(event);
  if (cause !== null) return say`${resultLabel(event)}. ${cause}: the wagers are back.`;
  return say`${resultLabel(event)}: ${event.callsCount === 0 ? "nobody" : `${right?.callsCount ?? 0} of ${formatCount(event.callsCount)}`} called it.`;
}

/** What is asked: another question, or another wording of it, has to be read first. */
function questionOf(event: EventView | null): string {
  return event === null ? "" : JSON.stringify([event.id, event.title, event.trueLabel, event.falseLabel]);
}

/**
 * True while nobody can have read the question yet: it has taken the card by itself. The one that the page came with is what the
 * viewer has opened.
 */
function useUnread(event: EventView | null): boolean {
  const question = questionOf(event);
  const [read, setRead] = useState(question);
  useEffect(() => {
    if (question === read) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A page in the background is not read.
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") timer = setTimeout(() => setRead(question), UNREAD_MS);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [question, read]);
  return question !== read;
}
