import { Icon } from "./icon.tsx";

/** The mark and the name, as they stand at the head of every page. */
export function Brand({ short = "only-wide" }: { short?: "only-wide" | "always" }) {
  return (
    <>
      <Icon name="mark" size="l" />
      <span className={short === "only-wide" ? "brand-word" : ""}>Called It</span>
    </>
  );
}

/** The giant mark behind a single card. */
export function GiantMark() {
  return (
    <div className="hero" aria-hidden="true">
      <Icon name="mark" />
    </div>
  );
}
