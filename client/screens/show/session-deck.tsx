import type { ReactNode } from "react";
import { Link } from "react-router";
import { minutes } from "#client/base/format/countdown.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { formatDrift, laterBy, pausedForMs } from "#client/running-order/schedule.ts";
import * as texts from "#client/running-order/show-texts.ts";
import { SaveAsBlueprint } from "#client/sessions/save-as-blueprint.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { Icon, type IconName } from "#client/ui/icon.tsx";
import { Pill, type PillTone } from "#client/ui/pill.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { entriesOf } from "#src/base/contract.ts";
import { sessionStateLabel, sessionTransitions } from "#src/show/sessions/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { Act, ActForm } from "./act-form.tsx";
import { LatestAct } from "./audit-panel.tsx";
import { disabledReasonForFlag, disabledReasonForSessionMove } from "./disabled-reason.ts";
import { useTakenBack } from "./own-calls.ts";
import { ResultsSheet } from "./results-sheet.tsx";
import { useShow } from "./show-context.ts";
import { KeyCap } from "./stage/key-cap.tsx";
import { KeysHelp } from "./stage/keys-help.tsx";
import { Invite } from "./start/invite.tsx";
import { keyOf } from "./use-acting.ts";

const pillOf = entriesOf<SessionView["state"], { icon: IconName; tone: PillTone }>(
  {
    pending: { icon: "clock", tone: "outline" },
    running: { icon: "true", tone: "live" },
    paused: { icon: "pause", tone: "warn" },
    stopped: { icon: "slip", tone: "plain" },
  },
  { icon: "none", tone: "plain" },
);

const SECOND_MS = 1_000;
/** Id of the text that says what Pause and Stop take back. */
const OWN_CALLS_ID = "own-calls";

type DeckProps = {
  /** The button that starts the session. */
  start: ReactNode;
  /** Further buttons. */
  children: ReactNode;
};

/** The session as a whole: its state, and the buttons that change it. */
export function SessionDeck({ start, children }: DeckProps) {
  const { session } = useShow();
  const isAdmin = useIsAdmin();
  const { icon, tone } = pillOf(session.state);
  return (
    <header className="session-deck">
      <h1 className="clip">{session.name}</h1>
      <div className="row wrap standing">
        <Pill icon={icon} tone={tone}>
          {sessionStateLabel(session.state)}
        </Pill>
        <OutlookPill />
        <span className="small ink2 num">{texts.playersHere(session.playersOnline)}</span>
        <OwnCalls />
      </div>
      <div className="row wrap">
        {session.state === "pending" ? start : null}
        <PauseOrResume />
        <Stop />
        <KeysHelp />
        {session.active ? (
          <Act intent="deactivate" disabledReason={disabledReasonForFlag(session, "deactivate")}>
            <Icon name="tick" size="s" /> {texts.activeLabel}
            <span className="vh">: {texts.deactivate}</span>
          </Act>
        ) : (
          <Act intent="activate" disabledReason={disabledReasonForFlag(session, "activate")}>
            {texts.activate}
          </Act>
        )}
        {session.state === "stopped" ? null : <Invite />}
        {session.state === "pending" ? null : <ResultsSheet slug={session.slug} className="btn" />}
        {session.state === "stopped" ? (
          <>
            {isAdmin ? <SaveAsBlueprint session={session} className="btn" /> : null}
            <Link className="btn" to={`/sessions/${session.slug}/replay`}>
              {texts.replay}
            </Link>
          </>
        ) : (
          <Link className="btn" to={`/sessions/${session.slug}/edit`}>
            {texts.edit}
          </Link>
        )}
        {children}
      </div>
      <LatestAct />
    </header>
  );
}

/** What Pause and Stop take back. It stands above the buttons, so that they stay where they are when it comes and goes. */
function OwnCalls() {
  const { callsCount, cents } = useTakenBack();
  if (callsCount === 0) return null;
  return (
    <span className="small strong" id={OWN_CALLS_ID}>
      {texts.onPauseOrStop(texts.takesBackOwn(callsCount, cents))}
    </span>
  );
}

function PauseOrResume() {
  const { session } = useShow();
  const { callsCount } = useTakenBack();
  if (session.state === "paused") {
    return (
      <Act
        intent="resume"
        disabledReason={disabledReasonForSessionMove(session, "resume")}
        className="btn primary"
        hotkey="P"
      >
        <span>{sessionTransitions.resume.label}</span> <KeyCap name="P" />
      </Act>
    );
  }
  return (
    <Act
      intent="pause"
      disabledReason={disabledReasonForSessionMove(session, "pause")}
      hotkey="P"
      describedBy={callsCount === 0 ? undefined : OWN_CALLS_ID}
    >
      <span>{sessionTransitions.pause.label}</span> <KeyCap name="P" />
    </Act>
  );
}

/** "+1:20 behind, ends 21:42:10". With each second of a pause it ends later. */
function OutlookPill() {
  const { session, outlook, renderedAt } = useShow();
  const zone = useTimeZone();
  const pausedMs = useServerTime((nowMs) => pausedForMs(session, nowMs), renderedAt);
  if (outlook === null) return null;
  const { endsAt, behindMs } = laterBy(outlook, pausedMs);
  const end = endsAt === null ? texts.endUnknown : texts.endsAt(formatClock(endsAt, zone));
  const lateSeconds = Math.round(behindMs / SECOND_MS);
  return (
    <Pill icon="clock" tone={lateSeconds > 0 ? "warn" : "plain"}>
      {`${driftText(behindMs, lateSeconds)}, ${end}`}
    </Pill>
  );
}

function driftText(behindMs: number, lateSeconds: number): string {
  if (lateSeconds === 0) return texts.onTime;
  return lateSeconds > 0 ? texts.behind(formatDrift(behindMs)) : texts.ahead(minutes(-behindMs));
}

function Stop() {
  const { session, events, acting } = useShow();
  const own = useTakenBack();
  const count = (...states: string[]) => events.filter(({ state }) => states.includes(state)).length;
  return (
    <Confirm
      label={sessionTransitions.stop.label}
      className="btn bad"
      disabledReason={disabledReasonForSessionMove(session, "stop")}
      title={texts.stopTitle(session.name)}
      form={ActForm}
      act={{
        label: texts.stopConfirm,
        intent: "stop",
        className: "btn bad",
        busy: acting.busy.has(keyOf("stop", "")),
      }}
      cancelLabel={texts.stopCancel}
    >
      <p>{texts.stopWarning}</p>
      <ul className="consequences">
        <li>{texts.stopClosesActions(count("open"))}</li>
        <li>{texts.stopHidesActions(count("draft", "visible"))}</li>
        <li>{texts.stopLeavesUndecided(count("open", "closed"))}</li>
        {own.callsCount === 0 ? null : <li>{texts.takesBackOwn(own.callsCount, own.cents)}</li>}
      </ul>
    </Confirm>
  );
}
