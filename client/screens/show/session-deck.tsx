import { type ReactNode, useEffect, useId, useState, useSyncExternalStore } from "react";
import { Link } from "react-router";
import { minutes } from "#client/base/format/countdown.ts";
import { close } from "#client/base/format/first-texts.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { useApi } from "#client/base/page/context.ts";
import { formatDrift, laterBy, pausedForMs } from "#client/running-order/schedule.ts";
import * as texts from "#client/running-order/show-texts.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { SaveAsBlueprint } from "#client/sessions/save-as-blueprint.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { Icon, type IconName } from "#client/ui/icon.tsx";
import { KeyList } from "#client/ui/key-list.tsx";
import { Pill, type PillTone } from "#client/ui/pill.tsx";
import { Switch } from "#client/ui/switch.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { entriesOf } from "#src/base/contract.ts";
import { sheetTables } from "#src/show/results-sheet/contract.ts";
import { sessionStateLabel, sessionTransitions } from "#src/show/sessions/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { Act, ActForm } from "./act-form.tsx";
import { doesArmedStay, letArmedStay } from "./arming/use-fuse.ts";
import { LatestAct } from "./audit-panel.tsx";
import { disabledReasonForFlag, disabledReasonForSessionMove } from "./disabled-reason.ts";
import { useTakenBack } from "./own-calls.ts";
import { useShow } from "./show-context.ts";
import { KeyCap } from "./stage/key-cap.tsx";
import { CopyField } from "./start/copy-field.tsx";
import { JoinLink, RenewJoinCode } from "./start/join-link.tsx";
import { useOrigin } from "./start/use-origin.ts";
import { sheetTexts } from "./texts/sheet-texts.ts";
import * as startTexts from "./texts/start-texts.ts";
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

const keys = [
  [texts.space, "advance"],
  ["C", "close"],
  ["-, +", texts.delayKeyHelp],
  ["S", texts.skipKeyHelp],
  ["P", texts.pauseKeyHelp],
  [texts.rowKeys, texts.rowKeyHelp],
  [texts.verdictKeys, texts.verdictKeyHelp],
  [texts.enter, texts.enterKeyHelp],
  [texts.escape, texts.escapeKeyHelp],
  ["U", texts.undoKeyHelp],
  ["?", texts.helpKeyHelp],
] as const;

const listeners = new Set<() => void>();

const RENEW = "renewStageLink";
const RENEWED = "renew_stage_link";

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

/** A button that offers the results sheet of a session as files. It works without JavaScript. */
function ResultsSheet({ slug, className }: { slug: string; className: string }) {
  const id = useId();
  const address = `${sessionPath(slug)}/results`;
  return (
    <>
      <button className={className} type="button" popoverTarget={id} aria-haspopup="dialog">
        {sheetTexts.results}
      </button>
      <dialog className="dialog" id={id} popover="auto" aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>{sheetTexts.title}</h2>
        <p className="ink2">{sheetTexts.about}</p>
        <div className="stack">
          {sheetTables.map((table) => (
            <a key={table} className="btn wide" href={`${address}.csv?table=${table}`} download>
              {sheetTexts.csv[table]}
            </a>
          ))}
          <a className="btn wide" href={address} download={`called-it-results-${slug}.json`}>
            {sheetTexts.json}
          </a>
        </div>
        <footer>
          <button className="btn" type="button" popoverTarget={id} popoverTargetAction="hide">
            {sheetTexts.close}
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
        {texts.keys}
      </button>
      <dialog className="dialog" id={id} popover="auto" aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>{texts.keys}</h2>
        <KeyList keys={keys} />
        <p className="small ink2">{texts.keysHint}</p>
        <ArmedStays />
        <button className="btn primary wide" type="button" popoverTarget={id} popoverTargetAction="hide">
          {close}
        </button>
      </dialog>
    </>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Eight seconds are too short for some. It holds for what is armed from now on. */
function ArmedStays() {
  const stays = useSyncExternalStore(subscribe, doesArmedStay, () => false);
  const toggle = () => {
    letArmedStay(!stays);
    for (const listener of listeners) listener();
  };
  return <Switch label={texts.armedStays} isOn={stays} words={texts.onOff} onToggle={toggle} />;
}

/** How players come in, with a QR code that a phone reads from the screen, and the big screen with its link. */
function Invite() {
  const id = useId();
  const { slug, settings } = useShow().session;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button className="btn" type="button" popoverTarget={id} aria-haspopup="dialog">
        {startTexts.invite}
      </button>
      <dialog
        className="dialog invite"
        id={id}
        popover="auto"
        aria-labelledby={`${id}-title`}
        // The question in it opens and closes too.
        onToggle={({ newState, target, currentTarget }) => {
          if (target !== currentTarget) return;
          setIsOpen(newState === "open");
          // The browser has scrolled to the first control. A phone begins with the title.
          currentTarget.scrollTop = 0;
        }}
      >
        <h2 id={`${id}-title`}>{startTexts.inviteTitle}</h2>
        <p className="ink2">{settings.private ? startTexts.invitePrivateHint : startTexts.inviteHint}</p>
        <div className="parts">
          <div className="stack">
            <JoinLink />
            <RenewJoinCode />
          </div>
          <div className="stack">
            <a className="btn wide" href={`/sessions/${slug}/stage`} target="_blank" rel="noreferrer">
              {startTexts.bigScreen}
            </a>
            <StageLink wanted={isOpen} />
          </div>
        </div>
        <footer>
          <button className="btn" type="button" popoverTarget={id} popoverTargetAction="hide">
            {startTexts.close}
          </button>
        </footer>
      </dialog>
    </>
  );
}

/**
 * The link to the big screen for those who are not signed in, and the same for OBS, with buttons that copy them; and one that makes a
 * new link.
 */
function StageLink({ wanted }: { wanted: boolean }) {
  const { session, acting } = useShow();
  const origin = useOrigin();
  const { key, note } = useStageKey(wanted);
  const url = key === "" ? "" : `${origin}/sessions/${session.slug}/stage?key=${key}`;
  const overlay = url === "" ? "" : `${url}&overlay=1`;
  return (
    <section className="stack" aria-label={startTexts.stageLink}>
      <p className="small ink2">{startTexts.stageLinkHint}</p>
      <CopyField url={url} label={startTexts.stageLink} copyLabel={startTexts.copyStageLink} note={note} />
      <p className="small ink2">{startTexts.overlayHint}</p>
      <CopyField url={overlay} label={startTexts.overlayLink} copyLabel={startTexts.copyOverlayLink} />
      <Confirm
        label={startTexts.newStageLink}
        className="btn wide"
        title={startTexts.newStageLinkTitle}
        form={ActForm}
        act={{
          label: startTexts.newStageLinkConfirm,
          intent: RENEW,
          busy: acting.busy.has(keyOf(RENEW, "")),
        }}
        cancelLabel={startTexts.newStageLinkCancel}
      >
        <p>{startTexts.newStageLinkWarning}</p>
      </Confirm>
    </section>
  );
}

/** The key, loaded when it is wanted, and again when a host has renewed it: the audit says so on the pages of all hosts. */
function useStageKey(wanted: boolean): { key: string; note: string } {
  const api = useApi();
  const { session, audit } = useShow();
  const renewal = audit.find(({ action }) => action === RENEWED)?.id ?? 0;
  const [link, setLink] = useState({ key: "", note: "" });
  useEffect(() => {
    if (!wanted) return;
    const left = new AbortController();
    api.get(`${sessionPath(session.slug)}/stage_link`, { signal: left.signal }).then(
      ({ stageLink: { key } }) =>
        setLink((known) => ({
          key,
          note: known.key === "" || known.key === key ? "" : startTexts.stageLinkIsNew,
        })),
      () => left.signal.aborted || setLink({ key: "", note: startTexts.stageLinkFailed }),
    );
    return () => left.abort();
  }, [api, session.slug, wanted, renewal]);
  return link;
}
