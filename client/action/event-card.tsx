import { Icon } from "../ui/icon.tsx";
import { NoPool, PoolBar } from "../ui/pool-bar.tsx";
import { CardMeta } from "./card-meta.tsx";
import { cardTitle } from "./card-title.ts";
import { Result } from "./result.tsx";
import { Slip } from "./slip.tsx";
import { Stage } from "./stage.tsx";
import { type View, useView } from "./view.ts";

const LONG_TITLE = 60;

/** The card: one geometry in every state; only the stage's content is swapped. */
export function EventCard() {
  const view = useView();
  const title = cardTitle(view);
  return (
    <article className={cardClass(view)} aria-label={title}>
      {isWon(view) ? (
        <div className="burst" aria-hidden="true">
          <Icon name="mark" />
        </div>
      ) : null}
      <div className="card-in">
        <CardMeta />
        <h1 className="card-q" data-len={title.length > LONG_TITLE ? "long" : undefined}>
          {title}
        </h1>
        {view.phase === "resolved" ? <Result key={view.event?.version} /> : <Stage />}
        <Pool />
        <Slip />
      </div>
    </article>
  );
}

function Pool() {
  const { event, phase } = useView();
  if (event !== null) return <PoolBar event={event} />;
  return <NoPool words={phase === "stopped" ? "All calls are settled" : "No pool yet"} />;
}

function cardClass(view: View): string {
  if (view.offline || view.phase === "paused") return "card dim";
  if (isWon(view)) return "card won";
  return view.phase === "resolved" ? "card quiet" : "card";
}

function isWon({ phase, standing }: View): boolean {
  return phase === "resolved" && standing?.outcome?.kind === "won";
}
