import { Link } from "react-router";
import { useServerTime } from "../../clock.ts";
import { minutes } from "../../ui/countdown.ts";
import { useShow } from "../show-context.ts";
import { StatePill } from "../state-pill.tsx";
import * as texts from "../texts/show-texts.ts";
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
