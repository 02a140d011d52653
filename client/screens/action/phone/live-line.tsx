import { stillWhenGone } from "#client/base/browser/still-places.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { useView } from "#client/events/view.ts";
import { Icon } from "#client/ui/icon.tsx";
import { type LiveWords, liveWordsAt } from "./live-words.ts";
import { sheetTexts } from "./phone-texts.ts";
import { closeSheet } from "./sheet-history.ts";

/** The way back to the game, at the top of a sheet: the question and its clock. It stands out in the last seconds. */
export function LiveLine() {
  const { state, data } = useView();
  const { title, words, closing } = useLiveWords(state, data.serverTime);
  return (
    <button
      className={closing ? "live-line closing" : "live-line"}
      type="button"
      onClick={closeSheet}
      ref={stillWhenGone}
    >
      <span className="names">
        <b className="clip">{title}</b>
        <span className="small num">{words}</span>
      </span>
      <span className="row small nowrap">
        <Icon name="undo" size="s" />
        {sheetTexts.back}
        <span className="vh">{sheetTexts.toTheGame}</span>
      </span>
    </button>
  );
}

/** The game in one line, as time passes. */
export function useLiveWords(state: Parameters<typeof liveWordsAt>[0], renderedAt: string): LiveWords {
  const changed = useServerTime((nowMs) => JSON.stringify(liveWordsAt(state, nowMs)), renderedAt);
  const words: LiveWords = JSON.parse(changed);
  return words;
}
