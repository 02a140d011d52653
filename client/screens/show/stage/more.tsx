import { moreTexts } from "#client/blueprints/more-texts.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { QuestionImage } from "#client/ui/question-image.tsx";
import { say } from "#src/http/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { isAhead, numberOf } from "../running/on-stage.ts";
import { useShow } from "../running/show-context.ts";

const hasMore = ({ picture, plan }: EventView) =>
  picture !== undefined || Boolean(plan?.hostNote) || Boolean(plan?.explanation);

/** What only hosts read about a question, its picture, and what explains its result. */
export function More({ event }: { event: EventView }) {
  const { picture, plan } = event;
  if (!hasMore(event)) return null;
  return (
    <div className="question-more">
      {picture === undefined ? null : <QuestionImage picture={picture} />}
      <dl className="small">
        <Text name={moreTexts.hostNote} text={plan?.hostNote} />
        <Text name={moreTexts.explanation} text={plan?.explanation} />
      </dl>
    </div>
  );
}

function Text({ name, text = "" }: { name: string; text: string | undefined }) {
  return text === "" ? null : (
    <div>
      <dt className="ink2">{name}</dt>
      <dd className="wrap-anywhere">{text}</dd>
    </div>
  );
}

/** The same of the question that comes after it. It is below all buttons: its height moves none. */
export function NextMore({ event }: { event: EventView }) {
  const { events } = useShow();
  const next = events.slice(numberOf(events, event)).find(isAhead);
  if (next === undefined || !hasMore(next)) return null;
  return (
    <Panel title={say`Next: ${numberOf(events, next)}. ${next.title}`}>
      <div className="body">
        <More event={next} />
      </div>
    </Panel>
  );
}
