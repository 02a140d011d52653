import { useRef } from "react";
import { Link } from "react-router";
import { keepStill, stillWhenGone } from "../base/browser/still-places.ts";
import { useView } from "../events/view.ts";
import { Icon } from "../ui/icon.tsx";
import type { News } from "./collect-news.ts";
import { resultTexts } from "./result-texts.ts";
import { useAnnouncing } from "./use-announcing.ts";

/**
 * Over the row of the slip: what became of the viewer's call on the action before, while something else has the card. It is there
 * until it was really seen, then the row is the slip's again. Screen readers hear it, and the news that the ticker announces.
 */
export function ResultBar() {
  const row = useRef<HTMLDivElement>(null);
  const { news, inTicker, close } = useAnnouncing(row);
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
      <Spoken news={news} />
      <Spoken news={inTicker} />
      {news === null || key === null ? null : (
        <div className={news.won ? "mine has announced" : "mine announced"} ref={row} key={key}>
          <Icon name={news.icon} />
          <Words news={news} close={close} />
          <button
            className="act"
            type="button"
            aria-label={resultTexts.closeName}
            onClick={closeRow}
            ref={comeAndGo}
          >
            {resultTexts.close}
          </button>
        </div>
      )}
    </>
  );
}

/**
 * A `ref` for Close. The row comes and goes by itself: a press that was meant for the slip's control does not close it, and the other
 * way round.
 */
function comeAndGo(close: HTMLElement | null): () => void {
  const covered = document.querySelector(".card .mine:not(.announced) .act");
  if (covered !== null) keepStill(covered);
  return stillWhenGone(close);
}

/** Live regions for one place of the screen. */
function Spoken({ news }: { news: News | null }) {
  const words = news === null ? "" : resultTexts.announced(news.lead, news.about);
  return (
    <>
      <p className="vh" aria-live="polite">
        {news?.urgent === true ? "" : words}
      </p>
      <p className="vh" aria-live="assertive">
        {news?.urgent === true ? words : ""}
      </p>
    </>
  );
}

function Words({ news: { lead, about, to }, close }: { news: News; close: () => void }) {
  const text = (
    <span>
      <b>{lead}</b>
      {about === "" ? null : <span>{` · ${about}`}</span>}
    </span>
  );
  if (to === null) return <span className="words">{text}</span>;
  return (
    <Link className="words" to={to} onClick={close} ref={stillWhenGone}>
      {text}
    </Link>
  );
}
