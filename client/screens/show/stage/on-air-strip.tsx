import { Link } from "react-router";
import { minutes } from "#client/base/format/countdown.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import * as texts from "#client/running-order/show-texts.ts";
import { StatePill } from "#client/running-order/state-pill.tsx";
import { useShow } from "../show-context.ts";
import { numberOf } from "./on-stage.ts";
import { stageLink } from "./use-stage.ts";

/** What is on air while another event was chosen for the stage, and the way back to it. */
export function OnAirStrip() {
  const { events, onStage, onAir, chosen, renderedAt } = useShow();
  const dueAt = onAir?.plan?.dueAt ?? null;
  const left = useServerTime(
    (nowMs) => (dueAt === null ? "" : minutes(Math.max(0, Date.parse(dueAt) - nowMs))),
    renderedAt,
  );
  if (!chosen || onAir === null) return null;
  if (onAir.id === onStage?.id) return null;
  return (
    <p className="panel on-air-strip row" role="status">
      <StatePill event={onAir} />
      <span className="clip strong">{texts.onAirNow(numberOf(events, onAir), onAir.title)}</span>
      <span className="num push" aria-hidden="true">
        {left}
      </span>
      <Link className="btn sm" {...stageLink(null)}>
        {texts.followTheShow}
      </Link>
    </p>
  );
}
