import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatCount } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import type { Outcome } from "#client/calls/viewer-calls.ts";
import * as texts from "#client/events/action-texts.ts";
import { refundCause, resultLabel } from "#client/events/result-label.ts";
import { useView } from "#client/events/view.ts";
import { isNearlyAlone } from "#src/play/calls/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { formatChange, formatMoney } from "../base/format/money.ts";
import { streakText } from "../calls/streak.ts";
import { formatRank } from "../leaderboard/rank-texts.ts";
import { useAfterResult } from "../results/after-result.ts";
import { ShareButton } from "../share/share-button.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { KeepLink } from "../wallet/keep-link.tsx";

/** @param others how many more calls were on the same side. */
const sawItToo = (others: number, callsCount: number, isClose: boolean) => {
  if (others === 0) return "You were alone on that side.";
  const words = `ou and ${formatCount(others)} of ${formatCount(callsCount)} saw it that way.`;
  return isClose ? `It was close: y${words}` : `Y${words}`;
};

/** @param others how many more calls were right. */
const fewSawIt = (others: number, callsCount: number) =>
  `Only you${others === 0 ? "" : ` and ${formatCount(others)}`} of ${formatCount(callsCount)} saw it.`;

/** From this share of all calls on, the side that has lost was close. */
const CLOSE_FROM = 0.4;

/** The viewer's result, instead of the card's body: stake, return and net. */
export function Result() {
  const { event, viewerCalls } = useView();
  if (event === null) return null;
  const outcome = viewerCalls?.outcome ?? null;
  if (outcome === null) return <WithoutOutcome event={event} isCalled={viewerCalls?.latest != null} />;
  return <WithOutcome event={event} outcome={outcome} calls={viewerCalls?.calls ?? []} />;
}

/** The result for who made no call, and for whose payout is not known yet: of a correction, or of a moment that decided it. */
function WithoutOutcome({ event, isCalled }: { event: EventView; isCalled: boolean }) {
  const { watching } = useView();
  return (
    <section className="result flip">
      <p className="head">
        <Icon name={event.voided ? "none" : "tick"} />
        <span>{event.voided ? words.calledOff : resultLabel(event)}</span>
      </p>
      {isCalled ? (
        <p className="ink2 if-slow">Paying out now.</p>
      ) : (
        <p className="ink2">{watching ? "The next one can be yours." : texts.noCallMade}</p>
      )}
      <Reason cause={null} />
      <Ways eventId={event.id} />
    </section>
  );
}

type WithOutcomeProps = { event: EventView; outcome: Outcome; calls: readonly CallView[] };

function WithOutcome({ event, outcome, calls }: WithOutcomeProps) {
  const { events, me } = useView().state;
  const { icon, text } = headings[outcome.kind];
  const streak = streakText(events, event);
  const story = storyOf(event, outcome, calls);
  const isRare = story?.isRare === true;
  return (
    <section className="result flip">
      <p className="head" data-len={outcome.kind === "right" ? "long" : undefined}>
        <Icon name={icon} />
        <span>{text}</span>
        {streak === "" ? null : <span className="small push">{streak}</span>}
      </p>
      <div className="sum">
        <Amounts outcome={outcome} />
        {story === null || isRare ? null : <p className="small ink2 near">{story.text}</p>}
        {outcome.kind === "won" ? (
          <KeepLink className="keep" rank={me === null ? null : formatRank(me)} />
        ) : null}
      </div>
      {isRare ? <p className="strong">{story.text}</p> : null}
      <Reason cause={outcome.kind === "refunded" ? refundCause(event) : null} />
      <Ways eventId={event.id}>
        <ShareRight isRare={isRare} />
      </Ways>
    </section>
  );
}

/** What was won or lost, as large as fits, and its parts; or what is back. */
function Amounts({ outcome: { kind, stakeCents, returnCents, netCents } }: { outcome: Outcome }) {
  const { counted } = useAfterResult();
  if (kind === "right" || kind === "refunded") {
    return (
      <p className="net num back">
        <span translate="no">{formatMoney(returnCents)}</span> <small>back</small>
      </p>
    );
  }
  return (
    <>
      <p className="net num" translate="no">
        {formatChange(counted ?? netCents)}
      </p>
      <dl>
        <Part name="Stake" value={formatMoney(stakeCents)} />
        <Part name="Return" value={formatMoney(returnCents)} />
        <Part name={words.net} value={formatChange(netCents)} />
      </dl>
    </>
  );
}

function Part({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd translate="no">{value}</dd>
    </div>
  );
}

/** What a correction has changed, why the wagers came back, and the host's reason for the result. */
function Reason({ cause }: { cause: string | null }) {
  const reason = useView().event?.resultReason;
  const { correction } = useAfterResult();
  const sentences = [correction, cause].flatMap((part) => (part === null ? [] : `${part}.`));
  return <Why text={[...sentences, reason ?? ""].join(" ")} />;
}

/** A text, and what explains the result, as far as there is room: a press shows all of the explanation. */
export function Why({ text }: { text: string }) {
  const { explanation = "" } = useView().event ?? {};
  const words = `${text} ${explanation}`.trim();
  if (words === "") return null;
  const className = "small ink2 why";
  return explanation === "" ? (
    <p className={className}>{words}</p>
  ) : (
    <Unfolds className={className}>{words}</Unfolds>
  );
}

/** A press shows it as large as the card, without JavaScript too. */
export function Unfolds(summary: { className?: string; children: ReactNode }) {
  return (
    <details className="unfolds">
      <summary {...summary} />
    </details>
  );
}

/** Where the result leads, for everybody who plays: first to the explanation of the settlement. */
function Ways({ eventId, children }: { eventId: number; children?: ReactNode }) {
  const { state, watching } = useView();
  if (watching) return null;
  return (
    <div className="row">
      <Link to={`/sessions/${state.session.slug}/events/${eventId}`}>{words.howThisWasSettled}</Link>
      {children}
    </div>
  );
}

/** Shares the call that was right, once it is paid: its picture, where few saw it. */
function ShareRight({ isRare }: { isRare: boolean }) {
  const right = useView().viewerCalls?.calls.findLast(
    (call) => call.outcome === "won" || call.refundReason === "no_loser",
  );
  if (right === undefined) return null;
  return (
    <ShareButton
      kind="result"
      targetId={right.id}
      className={isRare ? "btn primary" : "share-win"}
      disabled={right.state === "closed"}
    >
      {isRare ? "Share the picture" : "Share"}
    </ShareButton>
  );
}

const headings: Record<Outcome["kind"], { icon: IconName; text: string }> = {
  won: { icon: "tick", text: "You called it" },
  right: { icon: "tick", text: texts.rightUnopposed },
  lost: { icon: "cross", text: "It went the other way" },
  even: { icon: "back", text: "Both ways: even" },
  refunded: { icon: "back", text: "Your wager is back" },
};

/** What others did, where it makes a story: few saw what the player saw, or how near a loss was. Counted in calls, as in the ticker. */
export function storyOf(
  { spots, callsCount }: Pick<EventView, "spots" | "callsCount">,
  { kind }: Outcome,
  calls: readonly CallView[],
): { text: string; isRare: boolean } | null {
  if (kind !== "won" && kind !== "lost") return null;
  const call = calls.findLast(({ outcome }) => outcome === kind);
  const sameSide = spots.find(({ side }) => side === call?.side)?.callsCount ?? 0;
  const others = sameSide - calls.filter(({ side }) => side === call?.side).length;
  if (kind === "lost") {
    return { text: sawItToo(others, callsCount, sameSide >= callsCount * CLOSE_FROM), isRare: false };
  }
  if (!isNearlyAlone(sameSide, callsCount)) return null;
  return { text: fewSawIt(others, callsCount), isRare: true };
}
