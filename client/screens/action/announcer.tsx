import { useEffect, useRef, useState } from "react";
import { streamDelay } from "#client/base/api/stream-delay.ts";
import { readStored, store } from "#client/base/browser/storage.ts";
import { useAfter } from "#client/base/browser/use-after.ts";
import { formatMoney } from "#client/base/format/money.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { useViewer } from "#client/base/page/context.ts";
import type { Outcome } from "#client/calls/viewer-calls.ts";
import type { Withdrawn } from "#client/events/action-state.ts";
import * as texts from "#client/events/action-texts.ts";
import type { KnownCall } from "#client/events/known-calls.ts";
import { pendingWords, resultLabel, withdrawnWords } from "#client/events/result-label.ts";
import { useView, type View } from "#client/events/view.ts";
import { rankMoveIn } from "#client/results/rank-move.ts";
import {
  type Line,
  markResultSpoken,
  say,
  type SpokenResult,
  spokenResultOf,
  useSpoken,
} from "#client/results/spoken.ts";
import type { EventView } from "#src/show/events/schemas.ts";

/** What is only said to screen readers. */

/** @param own what it means for the player's calls: "You called it."; null without one. */
const resultPaysSoon = (event: EventView, own: string | null) => {
  const label = resultLabel(event);
  const words =
    event.pendingResult === "void" ? [`${label}.`, own] : [own, `Result: ${label}. It pays in a moment.`];
  return words.filter(Boolean).join(" ");
};
const youHaveBack = (cents: number) => `${formatMoney(cents)} is back.`;

/** Seconds before the close at which a screen reader announces the time left. */
const ANNOUNCED_AT_S = [30, 10, 5];
const SPOKEN_FOR_MS = 20_000;

// Decision: the server shows nobody an event that was taken out of the show. So that a reload tells what became of it as the page
// did before, the tab keeps it: the question was on its screen.

const STORAGE_KEY = "withdrawn";

/** What comes once the page is live: pictures of questions to come, and live regions for screen readers. What is added to a region is read. Urgent text interrupts. */
function Announcer() {
  const view = useView();
  useKeptWithdrawn(view);
  useChanges(view);
  useSaid(rankMoveIn(view).replace("→", "to"));
  const lines = useSpoken();
  return (
    <>
      {view.state.events.map(({ id, state, picture }) =>
        state === "visible" && picture !== undefined ? (
          <link key={id} rel="preload" as="image" href={picture.url} />
        ) : null,
      )}
      <Lines kind="polite" lines={lines.filter(({ urgent }) => !urgent)} />
      <Lines kind="assertive" lines={lines.filter(({ urgent }) => urgent)} />
      <SecondsLeft />
      <p className="vh" aria-live="polite">
        {useFor(view.placing.news, SPOKEN_FOR_MS)}
      </p>
    </>
  );
}

/** A text, for so long after it came: what stays would be read again by who reads the page. */
function useFor(text: string, ms: number): string {
  const [over, setOver] = useState("");
  useAfter(ms, text, () => setOver(text));
  return over === text ? "" : text;
}

/** Says a text when it comes; not the one that the page came with. */
function useSaid(text: string): void {
  const known = useRef(text);
  useEffect(() => {
    if (known.current === text) return;
    known.current = text;
    if (text !== "") say(text);
  }, [text]);
}

function Lines({ kind, lines }: { kind: "polite" | "assertive"; lines: readonly Line[] }) {
  return (
    <div className="vh" aria-live={kind} aria-relevant="additions">
      {lines.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}

/** Holds its text for one second; removing it is not announced. */
function SecondsLeft() {
  const { event, phase, data } = useView();
  const open = phase === "open" || phase === "closing";
  const closesAtMs = Date.parse(event?.closesAt ?? "") - streamDelay.delayMs;
  const secondsLeft = useServerTime((nowMs) => {
    const left = Math.ceil((closesAtMs - nowMs) / 1_000);
    return open && ANNOUNCED_AT_S.includes(left) ? left : null;
  }, data.serverTime);
  return (
    <p className="vh" aria-live="polite">
      {secondsLeft === null ? "" : `${secondsLeft} seconds left.`}
    </p>
  );
}

/** What the page came with is read from the page. */
function useChanges(view: View): void {
  const { text, result } = changeOf(view);
  const key = JSON.stringify([text, result]);
  const known = useRef<string | null>(null);
  const isUrgent = view.phase === "paused" || view.phase === "withdrawn" || view.event?.voided === true;
  useEffect(() => {
    if (known.current === key) return;
    const isFirst = known.current === null;
    known.current = key;
    const before = result === null ? "nothing" : markResultSpoken(result.said, result.isPending);
    if (isFirst || text === "" || before === "same" || (before === "pending" && result?.own === null)) return;
    // Which side won was said while the result waited.
    say(before === "pending" ? (result?.own ?? text) : text, { urgent: isUrgent });
  }, [key, text, result, isUrgent]);
}

type Change = {
  text: string;
  /** Of a result; `own` is what it means for the viewer's calls, which comes first. */
  result: { said: SpokenResult; own: string | null; isPending: boolean } | null;
};

function changeOf(view: View): Change {
  const { event, phase, viewerCalls, state } = view;
  if (event === null) return { text: phase === "stopped" ? "The session is over." : "", result: null };
  if (phase === "closed" && event.pendingResult !== null) {
    const own = pendingWords(event, viewerCalls);
    const result = { said: spokenResultOf(event, null), own, isPending: true };
    return { text: resultPaysSoon(event, own), result };
  }
  if (phase !== "resolved") return { text: words[phase](event, view), result: null };
  const outcome = viewerCalls?.outcome ?? null;
  // Not paid yet.
  if (viewerCalls?.latest && outcome === null) return { text: "", result: null };
  return resultChange(event, outcome, state);
}

function resultChange(event: EventView, outcome: Outcome | null, state: View["state"]): Change {
  const label = resultLabel(event);
  const own = outcome === null ? null : outcomeText(outcome);
  const shown = state.corrected.includes(event.id) ? texts.corrected(label) : label;
  const result = { said: spokenResultOf(event, outcome), own, isPending: false };
  // With its question: the card may show it late.
  return { text: `${own ?? "Result:"} ${shown}. ${event.title}`, result };
}

const question = ({ title, trueLabel, falseLabel }: EventView) => `${title} ${trueLabel} or ${falseLabel}.`;
const nothing = () => "";
const opened = (event: EventView) => `Open: ${question(event)}`;

const words: Record<Exclude<View["phase"], "resolved">, (event: EventView, view: View) => string> = {
  pending: nothing,
  waiting: nothing,
  visible: (event) => `Next: ${question(event)}`,
  open: opened,
  closing: opened,
  locking: opened,
  closed: () => "Calls closed.",
  paused: () => "Paused by the host. Your calls are safe.",
  withdrawn: (_event, { state }) => {
    const { title = "", hint = "" } = withdrawnWords(state) ?? {};
    return `${title} ${hint}`;
  },
  stopped: nothing,
};

function outcomeText({ kind, returnCents, netCents }: Outcome): string {
  switch (kind) {
    case "won":
      return `You won ${formatMoney(netCents)}.`;
    case "right":
      return `${texts.rightUnopposed} ${youHaveBack(returnCents)}`;
    case "lost":
      return `You lost ${formatMoney(-netCents)}.`;
    case "even":
      return "You come out even.";
    case "refunded":
      return youHaveBack(returnCents);
  }
}

/** The code that comes once the page is live. */
export const announcerParts = { Announcer };

/** Whose it is (0: signed out), and of which build: another one may read it differently. */
type Of = { viewerId: number; sessionId: number; build: string };
type Kept = Of & { withdrawn: Withdrawn; ownCalls: readonly KnownCall[] };

/** Keeps the last event of the session that was skipped or reset, and tells it again after the page was loaded. */
function useKeptWithdrawn({ state, recall }: View): void {
  const viewerId = useViewer()?.id ?? 0;
  const sessionId = state.session.id;
  const { withdrawn, ownCalls } = state;
  useEffect(() => {
    const of = { viewerId, sessionId, build: import.meta.url };
    if (withdrawn !== null) {
      const own = ownCalls.filter(({ call }) => call.eventId === withdrawn.event.id);
      const kept: Kept = { ...of, withdrawn, ownCalls: own };
      // Without storage a reload forgets it.
      store(STORAGE_KEY, JSON.stringify(kept), "sessionStorage");
      return;
    }
    const kept = read();
    const isOwn = kept?.viewerId === viewerId && kept.sessionId === sessionId && kept.build === of.build;
    if (kept !== null && isOwn) recall(kept.withdrawn, kept.ownCalls);
  }, [viewerId, sessionId, withdrawn, ownCalls, recall]);
}

function read(): Kept | null {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- This screen wrote it; what another build kept is not used.
    return JSON.parse(readStored(STORAGE_KEY, "sessionStorage") ?? "null") as Kept | null;
  } catch {
    return null;
  }
}
