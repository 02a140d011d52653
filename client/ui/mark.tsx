import * as words from "#client/base/format/words.ts";
import { Icon } from "./icon.tsx";

export function Brand({ short = "only-wide" }: { short?: "only-wide" | "always" }) {
  return (
    <>
      <Icon name="mark" size="l" />
      <span className={short === "only-wide" ? "brand-word" : ""}>{words.calledIt}</span>
    </>
  );
}

/** The large logo behind a single card. */
export function GiantMark() {
  return (
    <div className="hero" aria-hidden="true">
      <Icon name="mark" />
    </div>
  );
}
