import { useEffect, useLayoutEffect, useRef } from "react";
import { Link } from "react-router";
import * as words from "#client/base/format/words.ts";
import { guardPlace, guardWhenGone } from "../base/browser/click-guard.ts";
import { useView } from "../events/view.ts";
import { Icon } from "../ui/icon.tsx";
import { setAfterResult } from "./after-result.ts";
import type { Covered, News } from "./collect-news.ts";
import { useRankMove } from "./rank-move.ts";
import { resultTexts } from "./result-texts.ts";
import { markResultSpoken, markSpoken, say } from "./spoken.ts";
import { useAnnouncing } from "./use-announcing.ts";

const COUNT_MS = 600;

/**
 * Over the row of the slip: what became of the viewer's call on the action before, while something else has the card. It is there
 * until it was really seen, then the row is the slip's again. Screen readers hear it, and the news that the ticker announces.
 */
export function ResultBar() {
  const row = useRef<HTMLDivElement>(null);
  const { news, inTicker, close } = useAnnouncing(row);
  useCountUp();
  useRankMove();
  useSpokenNews(news);
  useSpokenNews(inTicker);
  // What was just taken back can be placed again in this row, and for a few seconds only.
  const isShown = useView().placing.takenBack === null;
  const key = news === null || !isShown ? null : news.key + news.version;
  const closeRow = () => {
    close();
    // The focus stays in the card, although its button is gone.
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  };
  return (
    <>
      {news === null || key === null ? null : (
        <div className={news.win === null ? "mine announced" : "mine announced win"} ref={row} key={key}>
          <Icon name={news.icon} />
          <Words news={news} close={close} />
          <button
            className="act"
            type="button"
            aria-label="Close this result"
            onClick={closeRow}
            ref={comeAndGo}
          >
            {words.close}
          </button>
        </div>
      )}
    </>
  );
}

/** A `ref` for Close. The row comes and goes by itself, and a press that was meant for what it covers does nothing. */
function comeAndGo(close: HTMLElement | null): () => void {
  const covered = document.querySelector(".card .mine:not(.announced) .act");
  if (covered !== null) guardPlace(covered);
  return guardWhenGone(close);
}

/** Says news to screen readers, unless the card has said them. */
function useSpokenNews(news: News | null): void {
  useEffect(() => {
    if (news === null) return;
    const known = news.covers.map((covered) =>
      covered.kind === "result"
        ? isResultKnown(covered)
        : markSpoken(`notification ${covered.id}`, "") !== undefined,
    );
    if (known.includes(false)) say(resultTexts.announced(news.lead, news.about), { urgent: news.urgent });
  }, [news]);
}

/** Who made no call has heard everything with the pending result. */
function isResultKnown({ eventId, shown }: Extract<Covered, { kind: "result" }>): boolean {
  const before = markResultSpoken({ eventId, ...shown });
  return before === "same" || (before === "pending" && shown.netCents === null);
}

function Words({ news: { lead, win, about, to }, close }: { news: News; close: () => void }) {
  const text = (
    <>
      {win === null ? null : (
        <b className="won-amount num" translate="no">
          {win.amount}
        </b>
      )}
      <span>
        <b>{win?.words ?? lead}</b>
        {about === "" ? null : <span>{` · ${about}`}</span>}
      </span>
    </>
  );
  if (to === null) return <span className="words">{text}</span>;
  return (
    <Link className="words" to={to} onClick={close} ref={guardWhenGone}>
      {text}
    </Link>
  );
}

/** Counts the amount of a win up, once, while the card shows it. With reduced motion nothing moves. */
function useCountUp(): void {
  const { event, phase, viewerCalls } = useView();
  const outcome = phase === "resolved" ? viewerCalls?.outcome : null;
  const wonCents = outcome?.kind === "won" ? outcome.netCents : null;
  const key = wonCents === null ? "" : `${event?.id} ${wonCents}`;
  const known = useRef<string | null>(null);
  // Before the whole amount is painted.
  useLayoutEffect(() => {
    const isNew = known.current !== null && known.current !== key;
    known.current = key;
    if (wonCents === null || !isNew || isMotionReduced()) return;
    return countTo(wonCents);
  }, [key, wonCents]);
}

/** @returns shows the whole amount at once. */
function countTo(cents: number): () => void {
  const startMs = performance.now();
  let frame = 0;
  const step = () => {
    const left = 1 - Math.min(1, (performance.now() - startMs) / COUNT_MS);
    if (left === 0) return setAfterResult({ counted: null });
    setAfterResult({ counted: Math.round(cents * (1 - left ** 3)) });
    frame = requestAnimationFrame(step);
  };
  step();
  return () => {
    cancelAnimationFrame(frame);
    setAfterResult({ counted: null });
  };
}

function isMotionReduced(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
