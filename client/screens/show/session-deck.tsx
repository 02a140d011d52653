import { type ReactNode, useId } from "react";
import { useStored } from "#client/base/browser/storage.ts";
import { countOf } from "#client/base/format/count.ts";
import { minutes } from "#client/base/format/countdown.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { formatDrift, laterBy, pausedForMs } from "#client/running-order/schedule.ts";
import * as texts from "#client/running-order/show-texts.ts";
import { Invite } from "#client/screens/show/start/invite.tsx";
import { sessionPath } from "#client/sessions/load-session.ts";
import { SaveAsBlueprint } from "#client/sessions/save-as-blueprint.tsx";
import { Icon, type IconName } from "#client/ui/icon.tsx";
import { KeyList } from "#client/ui/key-list.tsx";
import { ButtonLink } from "#client/ui/page-layout.tsx";
import { Pill, type PillTone } from "#client/ui/pill.tsx";
import { Switch } from "#client/ui/switch.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { entriesOf } from "#src/base/contract.ts";
import { say } from "#src/http/contract.ts";
import { site } from "#src/settings/contract.ts";
import { sheetTables, type SheetTable } from "#src/show/results-sheet/contract.ts";
import { sessionStateLabel, sessionTransitions } from "#src/show/sessions/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { LatestAct } from "./health/side-column.tsx";
import { Act, AskAct, KeyCap } from "./running/act-form.tsx";
import { disabledReasonForFlag, disabledReasonForSessionMove } from "./running/disabled-reason.ts";
import { useShow } from "./running/show-context.ts";
import { doesArmedStay, letArmedStay } from "./running/use-arming.ts";
import { BackToLobby, UndoStop, useTakenBack } from "./running/way-back.tsx";

const keysText = "Keys";

const csvLabels: Record<SheetTable, string> = { players: "Players, as CSV", questions: "Questions, as CSV" };

export const pillOf = entriesOf<SessionView["state"], { icon: IconName; tone: PillTone }>(
  {
    pending: { icon: "clock", tone: "outline" },
    running: { icon: "true", tone: "live" },
    paused: { icon: "pause", tone: "warn" },
    stopped: { icon: "slip", tone: "plain" },
  },
  { icon: "none", tone: "plain" },
);

/** Id of the text that says what Pause and Stop take back. */
const OWN_CALLS_ID = "own-calls";

type DeckProps = {
  start: ReactNode;
  children: ReactNode;
};

const keys = [
  [texts.space, "advance"],
  ["C", "close"],
  ["-, +", "ten seconds earlier or later"],
  ["S", "arm a skip of what is on the stage"],
  ["P", "pause or resume"],
  ["1, 2 ... 12", "choose the action of this number, if it waits for a result"],
  ["T, F, V", "arm True, False or void, and show what it pays"],
  [words.enter, "do what is armed"],
  ["Escape", "disarm, back to the stage, or give the room the focus"],
  ["U", "take the newest result back; once it is paid, correct it"],
  ["?", "this help"],
] as const;

/** The session as a whole: its state, and the buttons that change it. */
export function SessionDeck({ start, children }: DeckProps) {
  const { session } = useShow();
  const isAdmin = useIsAdmin();
  return (
    <header className="session-deck">
      <h1 className="clip">{session.name}</h1>
      <div className="row wrap standing">
        <Pill {...pillOf(session.state)} text={sessionStateLabel(session.state)} />
        <OutlookPill />
        <span className="small ink2 num">{`${countOf(session.playersOnline, "player")} here`}</span>
        <OwnCalls />
      </div>
      <div className="row wrap acts">
        {session.state === "pending" ? start : null}
        <PauseOrResume />
        {session.state === "stopped" ? <UndoStop fallback={<Stop />} /> : <Stop />}
        <KeysHelp />
        {session.active ? (
          <Act intent="deactivate" disabledReason={disabledReasonForFlag(session, "deactivate")}>
            <Icon name="tick" size="s" /> Players are sent here
            <span className="vh">: Stop sending players here</span>
          </Act>
        ) : (
          <Act intent="activate" disabledReason={disabledReasonForFlag(session, "activate")}>
            Send players here
          </Act>
        )}
        {session.state === "stopped" ? null : <Invite />}
        {session.state === "pending" ? null : <ResultsSheet slug={session.slug} className="btn" />}
        {session.state === "stopped" ? (
          <>
            {isAdmin ? <SaveAsBlueprint session={session} className="btn" /> : null}
            <ButtonLink to={`/sessions/${session.slug}/replay`}>{words.replay}</ButtonLink>
          </>
        ) : (
          <ButtonLink to={`/sessions/${session.slug}/edit`}>{words.edit}</ButtonLink>
        )}
        {children}
        <BackToLobby />
      </div>
      <LatestAct />
    </header>
  );
}

/** What Pause and Stop take back. It stands above the buttons, so that they stay where they are when it comes and goes. */
export function OwnCalls() {
  const { callsCount, cents } = useTakenBack();
  if (callsCount === 0) return null;
  return (
    <span className="small strong" id={OWN_CALLS_ID}>
      {`Pause or Stop: ${texts.takesBackOwn(callsCount, cents)}`}
    </span>
  );
}

export function PauseOrResume() {
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
  const end = endsAt === null ? "end not known yet" : `ends ${formatClock(endsAt, zone)}`;
  const lateSeconds = Math.round(behindMs / 1_000);
  return (
    <Pill
      icon="clock"
      tone={lateSeconds > 0 ? "warn" : "plain"}
      text={`${driftText(behindMs, lateSeconds)}, ${end}`}
    />
  );
}

function driftText(behindMs: number, lateSeconds: number): string {
  if (lateSeconds === 0) return "On time";
  return lateSeconds > 0 ? `${formatDrift(behindMs)} behind` : `${minutes(-behindMs)} ahead`;
}

/** Stops the show, after a question that says what happens to its actions. */
export function Stop() {
  const { session, events } = useShow();
  const own = useTakenBack();
  const count = (...states: string[]) => events.filter(({ state }) => states.includes(state)).length;
  return (
    <AskAct
      label={sessionTransitions.stop.label}
      className="btn bad"
      disabledReason={disabledReasonForSessionMove(session, "stop")}
      title={say`Stop ${session.name}?`}
      act={{ label: "Stop it", intent: "stop", className: "btn bad" }}
      cancelLabel="Keep it going"
    >
      <p>You can undo it for a minute. Then there is no way back into the show.</p>
      <ul className="consequences">
        <li>{`${countOf(count("open"), "open action")} will close now.`}</li>
        <li>{`${countOf(count("draft", "visible"), "action")} that never opened will be hidden.`}</li>
        <li>{`${countOf(count("open", "closed"), "action")} will wait for your result; without one everybody is refunded after 24 hours.`}</li>
        {own.callsCount === 0 ? null : <li>{texts.takesBackOwn(own.callsCount, own.cents)}</li>}
      </ul>
    </AskAct>
  );
}

/** A button that offers the results sheet of a session as files. It works without JavaScript. */
function ResultsSheet({ slug, className }: { slug: string; className: string }) {
  const id = useId();
  const address = `${sessionPath(slug)}/results`;
  return (
    <>
      <button className={className} type="button" popoverTarget={id} aria-haspopup="dialog">
        Results
      </button>
      <dialog className="dialog" id={id} popover="auto" aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>Results sheet</h2>
        <p className="ink2">
          Who won and lost what, and how each question came out. The tables open in any spreadsheet; amounts
          are in dollars, times in UTC.
        </p>
        <div className="stack">
          <a className="btn wide" href={`${address}.xlsx`} download>
            Both, as an Excel workbook
          </a>
          {sheetTables.map((table) => (
            <a key={table} className="btn wide" href={`${address}.csv?table=${table}`} download>
              {csvLabels[table]}
            </a>
          ))}
          <a className="btn wide" href={address} download={`${site().slug}-results-${slug}.json`}>
            Both, as JSON
          </a>
        </div>
        <footer>
          <button className="btn" type="button" popoverTarget={id} popoverTargetAction="hide">
            {words.close}
          </button>
        </footer>
      </dialog>
    </>
  );
}

/** A button that lists the keyboard shortcuts of the Admin tab. */
function KeysHelp() {
  const id = useId();
  return (
    <>
      <button
        className="btn keys-help"
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        data-key="?"
        aria-keyshortcuts="?"
      >
        {keysText}
      </button>
      <dialog className="dialog" id={id} popover="auto" aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>{keysText}</h2>
        <KeyList keys={keys} />
        <p className="small ink2">
          The keys act while they have a frame: the room has the focus, and nothing on the stage has changed
          for a second. A click on a free place, or Escape, gives the room the focus. No key acts while you
          fill in a form.
        </p>
        <ArmedStays />
        <button className="btn primary wide" type="button" popoverTarget={id} popoverTargetAction="hide">
          {words.close}
        </button>
      </dialog>
    </>
  );
}

/** Eight seconds are too short for some. It holds for what is armed from now on. */
function ArmedStays() {
  const stays = useStored(doesArmedStay, () => false);
  return <Switch label="What is armed stays armed" isOn={stays} onToggle={() => letArmedStay(!stays)} />;
}
