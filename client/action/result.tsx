import { Link } from "react-router";
import { useViewer } from "../context.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { formatChange, formatMoney } from "../ui/money.ts";
import { resultLabel } from "./result-label.ts";
import { useView, type View } from "./view.ts";
import type { ViewerCalls } from "./viewer-calls.ts";

type Outcome = NonNullable<ViewerCalls["outcome"]>;

/** The viewer's result, instead of the card's body: stake, return and net. */
export function Result() {
  const { event, viewerCalls, watching } = useView();
  if (event === null) return null;
  const outcome = viewerCalls?.outcome ?? null;
  if (outcome === null) {
    const called = viewerCalls !== null && viewerCalls.calls.length > 0;
    return (
      <section className="result flip">
        <p className="head">
          <Icon name={event.voided ? "none" : "tick"} />
          {event.voided ? "Called off" : resultLabel(event)}
        </p>
        {called ? (
          <p className="ink2 if-slow">Paying out now.</p>
        ) : (
          <p className="ink2">{textWithoutCall({ watching })}</p>
        )}
        <Reason />
        <HowSettled eventId={event.id} />
      </section>
    );
  }
  const { icon, text } = headings[outcome.kind];
  return (
    <section className="result flip">
      <p className="head">
        <Icon name={icon} />
        {event.voided ? "Called off, refunded" : text}
      </p>
      <p className="net num">{formatChange(outcome.netCents)}</p>
      <dl>
        <Part name="Stake" value={formatMoney(outcome.stakeCents)} />
        <Part name="Return" value={formatMoney(outcome.returnCents)} />
        <Part name="Net" value={formatChange(outcome.netCents)} />
      </dl>
      <Reason />
      <HowSettled eventId={event.id} />
    </section>
  );
}

function textWithoutCall({ watching }: Pick<View, "watching">): string {
  return watching ? "The next one can be yours." : "You made no call on this one.";
}

function Part({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The host's reason for the result, if there is one. */
function Reason() {
  const reason = useView().event?.resultReason ?? null;
  return reason === null ? null : <p className="small ink2 why">{reason}</p>;
}

/** A link to the explanation of the settlement; not for guests, who must create an account first. */
function HowSettled({ eventId }: { eventId: number }) {
  const viewer = useViewer();
  const { slug } = useView().state.session;
  if (viewer === null || viewer.guest) return null;
  return (
    <Link className="small" to={`/sessions/${slug}/events/${eventId}`}>
      How this was settled
    </Link>
  );
}

const headings: Record<Outcome["kind"], { icon: IconName; text: string }> = {
  won: { icon: "tick", text: "You called it" },
  lost: { icon: "cross", text: "It went the other way" },
  even: { icon: "back", text: "Both ways: even" },
  refunded: { icon: "back", text: "Refunded" },
};
