import { isRight } from "#client/calls/viewer-calls.ts";
import * as texts from "#client/events/action-texts.ts";
import { type View, useView } from "#client/events/view.ts";
import { LateResultBar } from "../results/late-result-bar.tsx";
import { Icon } from "../ui/icon.tsx";
import { NoPool, PoolBar } from "../ui/pool-bar.tsx";
import { CardBody } from "./card-body.tsx";
import { CardMeta } from "./card-meta.tsx";
import { Result } from "./result.tsx";
import { Slip } from "./slip.tsx";

const LONG_TITLE = 60;

/** The card. Its layout is the same in every phase; only the content of its body changes. */
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
        {view.phase === "resolved" ? <Result key={view.event?.version} /> : <CardBody />}
        <Pool />
        <Slip />
        <LateResultBar />
      </div>
    </article>
  );
}

function Pool() {
  const { event, phase } = useView();
  if (event !== null) return <PoolBar event={event} />;
  return <NoPool text={phase === "stopped" ? texts.allCallsSettled : texts.noPoolYet} />;
}

function cardClass(view: View): string {
  if (view.offline || view.phase === "paused") return "card dim";
  if (isWon(view)) return "card won";
  return view.phase === "resolved" || view.phase === "withdrawn" ? "card quiet" : "card";
}

function isWon({ phase, viewerCalls }: View): boolean {
  return phase === "resolved" && isRight(viewerCalls?.outcome);
}

/** The question, or a text where there is no event to ask about. */
export function cardTitle({ state, event, phase }: View): string {
  if (event !== null) return event.title;
  if (phase === "pending") return texts.notStartedYet(state.session.name);
  if (phase === "stopped") return texts.thankYouTitle;
  return phase === "paused" ? texts.sessionPausedTitle : texts.nextQuestionTitle;
}
