import type { MouseEvent } from "react";
import { Link } from "react-router";
import type { CallView } from "#src/calls/schemas.ts";
import type { EventView } from "#src/events/schemas.ts";
import { type Side, sides } from "#src/spots/contract.ts";
import { useServerTime } from "../clock.ts";
import { minutes } from "../ui/countdown.ts";
import { Icon, type IconName, SideShape } from "../ui/icon.tsx";
import { formatMoney } from "../ui/money.ts";
import { standingCents } from "./estimate.ts";
import { CANCEL_FORM } from "./forms.tsx";
import { OutOfMoney, useOutOfMoney } from "./out-of-money.tsx";
import { cancellableCall, type Standing } from "./standing.ts";
import type { Pending } from "./use-placing.ts";
import { useView, type View } from "./view.ts";

const LONG_LABEL = 9;

/** The line under the pool: my call with what it may bring, or what comes next. */
export function Slip() {
  const view = useView();
  const outOfMoney = useOutOfMoney();
  const { event, phase, standing } = view;
  if (phase === "resolved" || phase === "stopped") return <NextUp />;
  if (event !== null && standing !== null && standing.calls.length > 0) return <MyCalls view={view} />;
  const { pending } = view.placing;
  if (event !== null && pending !== null && pending.spot.eventId === event.id)
    return <OnItsWay pending={pending} />;
  if (outOfMoney && !view.offline) return <OutOfMoney />;
  const { icon, text } = nothingYet(view);
  return (
    <div className="mine">
      <Icon name={icon} />
      <span className="clip">{text}</span>
    </div>
  );
}

function nothingYet({ phase, offline, watching }: View): { icon: IconName; text: string } {
  if (offline) return { icon: "offline", text: "Calls can be placed again once you are back." };
  if (watching) return { icon: "eye", text: "You are watching. Guests play at once." };
  if (phase === "visible") return { icon: "eye", text: "Read it now. The sides open in a moment." };
  if (phase === "open" || phase === "closing") {
    return { icon: "none", text: "No call yet. Estimates move with the pool." };
  }
  if (phase === "closed" || phase === "locking")
    return { icon: "none", text: "You made no call on this one." };
  return { icon: "info", text: "Your calls stand here." };
}

function OnItsWay({ pending: { spot, wagerCents, checking } }: { pending: Pending }) {
  return (
    <div className="mine has">
      <Icon name="mark" />
      <span className="clip">
        <Called label={spot.label} side={spot.side} wagerCents={wagerCents} />
        {checking ? " is being checked" : " is on its way"}
      </span>
    </div>
  );
}

/** "True $5.00"; a long label gives way to the shape of its side. */
function Called({ label, side, wagerCents }: { label: string; side: Side; wagerCents: number }) {
  const amount = formatMoney(wagerCents);
  if (label.length <= LONG_LABEL) return <b>{`${label} ${amount}`}</b>;
  return (
    <>
      <SideShape side={side} />
      <span className="vh">{label}</span> <b>{amount}</b>
    </>
  );
}

function MyCalls({ view }: { view: View }) {
  const { event, standing, data, playable, placing } = view;
  const cancellable = useServerTime(
    (nowMs) => (event === null ? null : (cancellableCall(event, nowMs)?.id ?? null)),
    data.serverTime,
  );
  const latest = standing?.latest;
  if (event === null || standing === null || latest === null || latest === undefined) return null;
  const cancel = (click: MouseEvent) => {
    click.preventDefault();
    void placing.cancel(latest);
  };
  return (
    <div className="mine has">
      <Icon name="mark" />
      <span className="clip">
        <Sums event={event} standing={standing} latest={latest} />
      </span>
      {cancellable === latest.id && playable ? (
        <button
          className="act"
          type="submit"
          form={CANCEL_FORM}
          name="cancel"
          value={latest.id}
          onClick={cancel}
        >
          Cancel
        </button>
      ) : null}
    </div>
  );
}

type Mine = { event: EventView; standing: Standing; latest: CallView };

/** What is wagered, with its estimate; on both sides, one sum each. */
function Sums({ event, standing: { wageredCents }, latest }: Mine) {
  if (wageredCents.true > 0 && wageredCents.false > 0) {
    return sides.map((side) => (
      <span key={side} className="sum">
        <SideShape side={side} />
        <span className="vh">{event.spots.find((spot) => spot.side === side)?.label}</span>
        <b>{formatMoney(wageredCents[side])}</b>
      </span>
    ));
  }
  const { label, side } = latest;
  const estimate = formatMoney(standingCents(event.pool, side, wageredCents[side]));
  return (
    <>
      <Called label={label} side={side} wagerCents={wageredCents[side]} />
      {` → est. ${estimate}`}
    </>
  );
}

function NextUp() {
  const { table, data, phase, watching } = useView();
  const upcoming = table.events.find((event) => event.state === "visible");
  const opensAtMs = Date.parse(upcoming?.opensAt ?? "");
  const left = useServerTime(
    (nowMs) => (upcoming === undefined ? "" : minutes(opensAtMs - nowMs)),
    data.serverTime,
  );
  if (phase === "stopped") return <NextSession next={table.next} />;
  return (
    <div className="mine">
      <Icon name="clock" />
      <span className="clip">
        {upcoming === undefined ? (
          "The next action is on its way."
        ) : (
          <>
            Next action in <b>{left}</b>
          </>
        )}
      </span>
      {watching ? null : (
        <Link className="act" to="history">
          My calls
        </Link>
      )}
    </div>
  );
}

function NextSession({ next }: Pick<View["table"], "next">) {
  return (
    <div className="mine">
      <Icon name="clock" />
      <span className="clip">
        {next === null ? "The next session appears here." : `${next.name} is live`}
      </span>
      {next === null ? null : (
        <Link className="act" to={`/sessions/${next.slug}`}>
          Join
        </Link>
      )}
    </div>
  );
}
