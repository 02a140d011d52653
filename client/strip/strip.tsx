import { useRef } from "react";
import { Link } from "react-router";
import { Icon } from "../ui/icon.tsx";
import type { News } from "./collect-news.ts";
import { stripTexts } from "./strip-texts.ts";
import { useTelling } from "./use-telling.ts";

/**
 * Over the row of the slip: what became of the viewer's call on the action before, while something else has the card. It is there
 * until it was really seen, then the row is the slip's again. Screen readers hear it, and the news that the ticker tells.
 */
export function Strip() {
  const row = useRef<HTMLDivElement>(null);
  const { news, inTicker, close } = useTelling(row);
  const closeRow = () => {
    close();
    // The focus stays in the card, although its button is gone.
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  };
  return (
    <>
      <Spoken news={news} />
      <Spoken news={inTicker} />
      {news === null ? null : (
        <div className={news.won ? "mine has told" : "mine told"} ref={row} key={news.key + news.version}>
          <Icon name={news.icon} />
          <Words news={news} close={close} />
          <button className="act" type="button" aria-label={stripTexts.closeName} onClick={closeRow}>
            {stripTexts.close}
          </button>
        </div>
      )}
    </>
  );
}

/** Live regions for one place of the screen. */
function Spoken({ news }: { news: News | null }) {
  const words = news === null ? "" : stripTexts.announced(news.lead, news.about);
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
    <Link className="words" to={to} onClick={close}>
      {text}
    </Link>
  );
}
