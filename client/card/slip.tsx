import { type MouseEvent, type ReactNode, useState } from "react";
import { Link } from "react-router";
import * as shared from "#client/base/format/words.ts";
import { newestCall, type ViewerCalls } from "#client/calls/viewer-calls.ts";
import * as texts from "#client/events/action-texts.ts";
import { couldPayCents, isUnopposed } from "#client/events/estimate.ts";
import { useNextText } from "#client/events/next-text.ts";
import type { Pending } from "#client/events/use-placing.ts";
import { useView, type View } from "#client/events/view.ts";
import { useOnTheHouse } from "#client/events/wager-fault.ts";
import { type Side, sides } from "#db/lists/spots.ts";
import { say } from "#src/http/contract.ts";
import { isBroke } from "#src/money/wallet/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { streamDelay } from "../base/api/stream-delay.ts";
import { guardPlace, guardWhenGone } from "../base/browser/click-guard.ts";
import { useLateParts } from "../base/deferred/use-late-parts.ts";
import { formatMoney } from "../base/format/money.ts";
import { useServerTime } from "../base/live/clock.ts";
import { useViewer } from "../base/page/context.ts";
import { useAfterResult } from "../results/after-result.ts";
import { DisabledButton } from "../ui/disabled-button.tsx";
import { Icon, type IconName, SideShape } from "../ui/icon.tsx";
import { rolesIn } from "../ui/navigation.ts";
import { Submit } from "../ui/submit.tsx";
import { showToast } from "../ui/toast.tsx";
import { TopUpForm, topUpLabel, useTopUpOutcome } from "../wallet/top-up.tsx";
import { useWallet } from "../wallet/wallet-state.tsx";
import { CANCEL_FORM, disabledReasonOf } from "./wager-row.tsx";

const cancelAfterPause = "You can take it back once the show goes on.";

const callersDecideNothing = "If you call it, somebody else must decide it.";

const LONG_LABEL = 9;

/** True while words that explain themselves go away. */
let areGoing = false;

const loadPays = () => import("./pays-dialog.tsx");

/** The row under the pool: the viewer's calls and what they could pay, or what comes next. Pressed, its words explain what a call can win. */
export function Slip() {
  const [asked, setAsked] = useState(false);
  const pays = useLateParts(asked ? loadPays : null);
  return (
    <>
      <Row ask={() => setAsked(true)} />
      {asked && pays !== null ? <pays.PaysDialog onClose={() => setAsked(false)} /> : null}
    </>
  );
}

function Row({ ask }: Asks) {
  const view = useView();
  const outOfMoney = useOutOfMoney();
  const { event, phase, viewerCalls } = view;
  if (phase === "resolved" || phase === "withdrawn") return <NextUp />;
  if (view.placing.takenBack !== null) return <TakenBack call={view.placing.takenBack} />;
  if (viewerCalls?.latest) return <MyCalls view={view} ask={ask} />;
  const { pending } = view.placing;
  if (pending !== null && pending.spot.eventId === event?.id) return <PendingCall pending={pending} />;
  if (outOfMoney && !view.offline) return <OutOfMoney />;
  return <RowText view={view} ask={ask} />;
}

function RowText({ view, ask }: Asks & { view: View }) {
  const decides = useDecides(view);
  const { icon, text, isAboutPay = false } = textWithoutCalls(view, decides);
  return (
    <div className="mine">
      <Icon name={icon} />
      {isAboutPay ? <Words ask={ask}>{text}</Words> : <span className="clip">{text}</span>}
    </div>
  );
}

type SlipText = { icon: IconName; text: string; isAboutPay?: true };

function textWithoutCalls({ event, phase, offline, watching }: View, decides: boolean): SlipText {
  if (offline) return { icon: "offline", text: "Calls can be placed again once you are back." };
  if (watching) return { icon: "eye", text: "Watching. Join in one tap, no account." };
  if (phase === "visible") {
    const when = event?.opensAt == null ? "The host opens the sides." : "The sides open in a moment.";
    return { icon: "eye", text: `Read it now. ${when}` };
  }
  if (phase === "open" || phase === "closing") return textBeforeCall(event, decides);
  if (phase === "closed" || phase === "locking") return { icon: "none", text: texts.noCallMade };
  return { icon: "info", text: "Your calls appear here." };
}

function textBeforeCall(event: EventView | null, decides: boolean): SlipText {
  if (decides) return { icon: "warning", text: callersDecideNothing };
  const isFirst = event?.pool.totalCents === 0;
  return {
    icon: "info",
    text: isFirst
      ? "First call: you win what is put against you."
      : "Tap a side. Others' calls change what you can win.",
    isAboutPay: true,
  };
}

/** True for who runs the session, where a call means that somebody else must decide its question. */
function useDecides({ state: { session } }: View): boolean {
  const viewer = useViewer();
  return viewer !== null && rolesIn(viewer, session.id).includes("admin") && !session.settings.smallRoom;
}

function PendingCall({ pending: { spot, wagerCents, checking } }: { pending: Pending }) {
  return (
    <div className="mine has">
      <Icon name="mark" />
      <span className="clip">
        <Called label={spot.label} side={spot.side} wagerCents={wagerCents} />
        <span>{` ${checking ? "is being checked" : "is on its way"}`}</span>
      </span>
    </div>
  );
}

function MyCalls({ view, ask }: Asks & { view: View }) {
  const { event, viewerCalls } = view;
  const latest = viewerCalls?.latest;
  if (event === null || viewerCalls === null || latest === null || latest === undefined) return null;
  return (
    <div className="mine has">
      <Icon name="mark" />
      <Words ask={ask}>
        <Sums event={event} viewerCalls={viewerCalls} latest={latest} />
      </Words>
      <Cancel view={view} event={event} latest={latest} />
    </div>
  );
}

type CancelProps = { view: View; event: EventView; latest: CallView };

/** Takes the newest call back, while that is possible. During a pause it says when it is possible again. */
function Cancel({ view: { data, state, offline, placing }, event, latest }: CancelProps) {
  const { pausedAt } = state.session;
  const may = useServerTime((nowMs) => {
    const newest = newestCall(event, pausedAt, nowMs + streamDelay.delayMs);
    return newest === null ? "no" : (newest.why ?? "yes");
  }, data.serverTime);
  if (may === "no" || offline) return null;
  if (may === "paused")
    return (
      <DisabledButton className="act" disabledReason={cancelAfterPause} onPress={sayAfterPause}>
        {shared.cancel}
      </DisabledButton>
    );
  const cancel = (click: MouseEvent) => {
    click.preventDefault();
    void placing.cancel(latest);
  };
  return (
    <button
      className="act"
      type="submit"
      form={CANCEL_FORM}
      name="cancel"
      value={latest.id}
      onClick={cancel}
      key={event.id}
      ref={comeAndLeave}
    >
      {shared.cancel}
    </button>
  );
}

/** Tells who wants to take a call back during a pause when they can. */
export function sayAfterPause(): void {
  showToast({ icon: "info", text: cancelAfterPause, urgent: true });
}

/** Places the call again that was just taken back. It is not where Cancel was: the second press of a double click must not hit it. */
function TakenBack({ call: { label, side, wagerCents } }: { call: CallView }) {
  const view = useView();
  return (
    <div className="mine">
      <Icon name="undo" />
      <button
        className="act first"
        type="button"
        aria-label={`Undo: call ${label}, ${formatMoney(wagerCents)} again`}
        aria-keyshortcuts="Control+Z"
        onClick={() => placeAgain(view)}
        ref={leaveInOrder}
      >
        Undo
      </button>
      <span className="clip">
        Taken back: <Called label={label} side={side} wagerCents={wagerCents} />
      </span>
    </div>
  );
}

/** Places the call that was just taken back again: a new call on the same spot, with the same wager. */
export function placeAgain({ event, placing: { takenBack, place } }: View): void {
  const spot = event?.spots.find(({ id }) => id === takenBack?.spotId);
  if (takenBack !== null && spot !== undefined) void place(spot, takenBack.wagerCents);
}

/** A `ref` for the row's control: when it goes away, its place takes no press for a second, and its focus stays in the card. */
function leaveInOrder(control: HTMLElement | null): () => void {
  const leave = guardWhenGone(control);
  const keepFocus = focusStays(control);
  return () => {
    leave();
    keepFocus();
  };
}

function comeAndLeave(cancel: HTMLElement | null): () => void {
  comeForWords(cancel);
  return leaveInOrder(cancel);
}

function NextUp() {
  const { state, watching } = useView();
  const text = useNextText();
  const { move } = useAfterResult();
  return (
    <div className="mine">
      <Icon name={move === "" ? "clock" : "trophy"} />
      <span className="clip num">{move === "" ? (text ?? "Next question soon.") : <b>{move}</b>}</span>
      {watching ? null : <ToCalls state={state} />}
    </div>
  );
}

/** The player's calls; for a guest the receipt of the newest, because the history is for accounts. */
function ToCalls({ state: { session, events } }: Pick<View, "state">) {
  const guest = useViewer()?.guest === true;
  const newestId = guest
    ? Math.max(0, ...events.flatMap(({ myCalls }) => myCalls.map(({ id }) => id)))
    : null;
  if (newestId === 0) return null;
  const history = `/sessions/${session.slug}/history`;
  return (
    <Link className="act" ref={leaveInOrder} to={newestId === null ? history : `${history}/${newestId}`}>
      {guest ? "My receipt" : texts.myCalls}
    </Link>
  );
}

/** True for a player who has nothing left to wager, and no call being sent. */
function useOutOfMoney(): boolean {
  const { wallet, pending } = useWallet();
  return wallet !== null && !pending && isBroke(wallet);
}

/** The row for such a player. While calls are taken, or soon will be, the house may pay. */
function OutOfMoney() {
  const view = useView();
  const decides = useDecides(view);
  const isHouse = useOnTheHouse(view) && disabledReasonOf(view) === null;
  const later = useTopUpOutcome() === "topped_up_today";
  const why = later ? "You can top up again tomorrow." : "Your play money is used up.";
  return (
    <div className="mine">
      <Icon name="wallet" />
      <span className="clip">
        {isHouse ? <b>It's on the house.</b> : <span>{why}</span>}
        {isHouse && decides ? <span>{` ${callersDecideNothing}`}</span> : null}
      </span>
      {later ? null : (
        <TopUpForm>
          <Submit className="act">{topUpLabel}</Submit>
        </TopUpForm>
      )}
    </div>
  );
}

type Asks = { ask: () => void };

/** Words that explain themselves when they are pressed. */
function Words({ ask, children }: Asks & { children: ReactNode }) {
  return (
    <button
      className="pays"
      type="button"
      aria-haspopup="dialog"
      title="What a call can win"
      onClick={ask}
      ref={leaveWords}
    >
      {children}
    </button>
  );
}

/** "True $5.00"; a long label is replaced by the shape of its side. */
function Called({ label, side, wagerCents }: { label: string; side: Side; wagerCents: number }) {
  const amount = formatMoney(wagerCents);
  if (label.length <= LONG_LABEL) return <b>{say`${label} ${amount}`}</b>;
  return (
    <>
      <SideShape side={side} />
      <span className="vh">{label}</span> <b>{amount}</b>
    </>
  );
}

type SumsProps = { event: EventView; viewerCalls: ViewerCalls; latest: CallView };

/** The sum of the wagers and what it could pay, or one sum per side if both were called. */
function Sums({ event, viewerCalls: { wageredCents }, latest }: SumsProps) {
  if (wageredCents.true > 0 && wageredCents.false > 0) {
    return sides.map((side) => (
      <span key={side} className="sum">
        <SideShape side={side} />
        <span className="vh">{event.spots.find((spot) => spot.side === side)?.label}</span>
        <b>{formatMoney(wageredCents[side])}</b>
      </span>
    ));
  }
  const { label, side } = latest;
  const ownCents = wageredCents[side];
  return (
    <>
      <Called label={label} side={side} wagerCents={ownCents} />{" "}
      <span className="hint">
        {isUnopposed(event.pool, side)
          ? "waits for the other side"
          : texts.couldPay(formatMoney(couldPayCents(event.pool, side, { ownCents })))}
      </span>
    </>
  );
}

/** A `ref` for them: what takes their place is pressed on purpose, unless it is Cancel and comes by itself. */
function leaveWords(words: HTMLElement | null): () => void {
  const keepFocus = focusStays(words);
  return () => {
    areGoing = true;
    queueMicrotask(() => (areGoing = false));
    keepFocus();
  };
}

/** Called with Cancel when it comes: a call from another device brings it where the words were, with no press on this page. */
function comeForWords(cancel: HTMLElement | null): void {
  if (areGoing && cancel !== null) guardPlace(cancel);
}

/** A `ref` for a control of the row: its focus stays in the card. */
function focusStays(control: HTMLElement | null): () => void {
  return () => {
    if (document.activeElement !== control) return;
    queueMicrotask(() => document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true }));
  };
}
