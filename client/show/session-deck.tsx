import { Link } from "react-router";
import { sessionStateLabels } from "#src/sessions/contract.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import { Confirm } from "../ui/confirm.tsx";
import { countOf } from "../ui/count.ts";
import { minutes } from "../ui/countdown.ts";
import type { IconName } from "../ui/icon.tsx";
import { Pill, type PillTone } from "../ui/pill.tsx";
import { formatClock } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time-zone.ts";
import { Act, ActForm } from "./act-form.tsx";
import { LatestAct } from "./audit-panel.tsx";
import { KeyCap } from "./key-cap.tsx";
import { KeysHelp } from "./keys-help.tsx";
import { formatDrift } from "./schedule.ts";
import { useShow } from "./show-context.ts";
import { keyOf } from "./use-acting.ts";
import { whyNotFlag, whyNotMoveSession } from "./why-not.ts";

const pills: Record<SessionView["state"], { icon: IconName; tone: PillTone }> = {
  pending: { icon: "clock", tone: "outline" },
  running: { icon: "true", tone: "live" },
  paused: { icon: "pause", tone: "warn" },
  stopped: { icon: "slip", tone: "plain" },
};

/** The session as a whole: its state, and the buttons that change it. */
export function SessionDeck() {
  const { session } = useShow();
  const { icon, tone } = pills[session.state];
  const paused = session.state === "paused";
  return (
    <header className="session-deck">
      <h1 className="clip">{session.name}</h1>
      <div className="row wrap standing">
        <Pill icon={icon} tone={tone}>
          {sessionStateLabels[session.state]}
        </Pill>
        {session.active ? <Pill icon="person">Players are taken here</Pill> : null}
        <OutlookPill />
        <span className="small ink2 num">{countOf(session.playersOnline, "player")} here</span>
      </div>
      <div className="row wrap">
        {session.state === "pending" ? (
          <Act intent="start" why={whyNotMoveSession(session, "start")} className="btn primary">
            Start
          </Act>
        ) : null}
        {paused ? (
          <Act intent="resume" why={whyNotMoveSession(session, "resume")} className="btn primary" hotkey="P">
            Resume <KeyCap name="P" />
          </Act>
        ) : (
          <Act intent="pause" why={whyNotMoveSession(session, "pause")} hotkey="P">
            Pause <KeyCap name="P" />
          </Act>
        )}
        <Stop />
        <KeysHelp />
        {session.active ? (
          <Act intent="deactivate" why={whyNotFlag(session, "deactivate")}>
            Deactivate
          </Act>
        ) : (
          <Act intent="activate" why={whyNotFlag(session, "activate")}>
            Activate
          </Act>
        )}
        {session.state === "stopped" ? null : (
          <Link className="btn" to={`/sessions/${session.slug}/edit`}>
            Edit
          </Link>
        )}
      </div>
      <LatestAct />
    </header>
  );
}

/** "+1:20 behind, ends 21:42:10" */
function OutlookPill() {
  const { outlook } = useShow();
  const zone = useTimeZone();
  if (outlook === null) return null;
  const lateSeconds = Math.round(outlook.behindMs / 1_000);
  return (
    <Pill icon="clock" tone={lateSeconds > 0 ? "warn" : "plain"}>
      {`${driftText(outlook.behindMs, lateSeconds)}, ends ${formatClock(outlook.endsAt, zone)}`}
    </Pill>
  );
}

function driftText(behindMs: number, lateSeconds: number): string {
  if (lateSeconds === 0) return "On time";
  return lateSeconds > 0 ? `${formatDrift(behindMs)} behind` : `${minutes(-behindMs)} ahead`;
}

function Stop() {
  const { session, events, acting } = useShow();
  const count = (...states: string[]) => events.filter(({ state }) => states.includes(state)).length;
  return (
    <Confirm
      label="Stop"
      className="btn bad"
      why={whyNotMoveSession(session, "stop")}
      title={`Stop ${session.name}?`}
      form={ActForm}
      act={{
        label: "Stop it",
        intent: "stop",
        className: "btn bad",
        busy: acting.busy.has(keyOf("stop", "")),
      }}
      cancelLabel="Keep it going"
    >
      <p>There is no way back into the show.</p>
      <ul className="consequences">
        <li>{countOf(count("open"), "open action")} will close now.</li>
        <li>{countOf(count("draft", "visible"), "action")} that never opened will be hidden.</li>
        <li>
          {countOf(count("open", "closed"), "action")} will wait for your result; without one everybody is
          refunded after 24 hours.
        </li>
      </ul>
    </Confirm>
  );
}
