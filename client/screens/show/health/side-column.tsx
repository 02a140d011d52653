import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { Link, useLoaderData, useRevalidator } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { countOf, formatCount } from "#client/base/format/count.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { serverNow } from "#client/base/live/clock.ts";
import { useSingleFlight } from "#client/base/live/single-flight.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useSessionMessages } from "#client/base/live/use-session-messages.ts";
import { useApi } from "#client/base/page/context.ts";
import { describeLine } from "#client/running-order/describe-line.ts";
import { Icon } from "#client/ui/icon.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { say } from "#src/http/contract.ts";
import type { MessageView } from "#src/play/chat/schemas.ts";
import { WAVE_MINUTES } from "#src/show/join-codes/contract.ts";
import type { Wave } from "#src/show/join-codes/schemas.ts";
import type { AuditLineView } from "#src/show/sessions/schemas.ts";
import { Act, AskAct } from "../running/act-form.tsx";
import { useShow } from "../running/show-context.ts";
import { WAVES, type ShowPage } from "../running/show-state.ts";
import { FindPlayers, TakeNameAway } from "./find-players.tsx";
import { HealthPanel, NextTransitions, type Health, useTroubled } from "./health-panel.tsx";
import { PacePanel } from "./pace-panel.tsx";

/** The right column where it is not beside the others: a drawer that a button opens. */
type Drawer = {
  isOpen: boolean;
  toggle: () => void;
  column: RefObject<HTMLElement | null>;
  button: RefObject<HTMLButtonElement | null>;
  /** Escape closes it, and the focus returns to its button. */
  onKeyDown: (event: KeyboardEvent) => void;
};

export function useDrawer(): Drawer {
  const [isOpen, setIsOpen] = useState(false);
  const column = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) column.current?.focus();
  }, [isOpen]);
  const toggle = useCallback(() => setIsOpen((open) => !open), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation();
    setIsOpen(false);
    button.current?.focus();
  };
  return { isOpen, toggle, column, button, onKeyDown };
}

const SIDE_ID = "side-column";

type SideProps = { health: Health; drawer: Drawer; waiting: Waiting };

/** The right column: what is next, what the show runs on, how calls arrive, who did what, players. */
export function SideColumn({ health, drawer, waiting }: SideProps) {
  const { isOpen, column, onKeyDown } = drawer;
  return (
    <aside
      className={isOpen ? "side-col drawn" : "side-col"}
      id={SIDE_ID}
      ref={column}
      tabIndex={-1}
      aria-label="Health and players"
      onKeyDown={onKeyDown}
    >
      <NextTransitions />
      <Approvals waiting={waiting} />
      <HealthPanel health={health} />
      <PacePanel pace={health.view?.pace ?? null} />
      <Door held={heldIn(health)} />
      <AuditPanel />
      <FindPlayers />
    </aside>
  );
}

/** 0 also where the server is of an earlier release. */
function heldIn({ view }: Health): number {
  return view !== null && "door" in view ? view.door.held : 0;
}

/** The button that opens the column where the window is too narrow to have it beside the others. */
export function SideButton({ health, drawer, waiting }: SideProps) {
  const { isOpen, toggle, button } = drawer;
  const troubled = useTroubled(health);
  const waits = waiting?.messages.length ?? 0;
  return (
    <button
      className="btn side-button"
      type="button"
      ref={button}
      aria-expanded={isOpen}
      aria-controls={SIDE_ID}
      onClick={toggle}
    >
      {troubled ? <Icon name="warning" size="s" /> : null}
      <span>{isOpen ? words.close : "Health"}</span>
      {waits === 0 ? null : <span className="num">{waitingText(waits)}</span>}
      {troubled ? <span className="vh">, needs attention</span> : null}
    </button>
  );
}

const chatForScreen = "Chat for the big screen";

const ASK_EVERY_MS = 15_000;
/** What nobody has let on the big screen for so long is of an earlier moment of the show: it waits no more. */
const WAITS_MS = 10 * 60_000;

/** The chat messages that wait for a host, the oldest first, and what asks for them again. Null where none is approved. */
type Waiting = { messages: readonly MessageView[]; refetch: () => void } | null;

/** The chat messages that wait before they are on the big screen, where the session has them approved. */
export function useWaiting(): Waiting {
  const { session } = useShow();
  const { id, slug, state, settings } = session;
  const isAsked = settings.chatApproval && state !== "stopped";
  const api = useApi();
  const [newest, setNewest] = useState<readonly MessageView[]>([]);
  const refetch = useSingleFlight(async (signal) => {
    const { messages } = await api.get("/api/v1/messages", { query: { sessionId: slug }, signal });
    if (!signal.aborted) setNewest(messages);
  }, slug);
  useEffect(() => {
    if (isAsked) refetch();
  }, [isAsked, slug, refetch]);
  useSessionMessages(isAsked ? id : null, {
    connected: refetch,
    missed: refetch,
    received: ({ sourceType }) => {
      if (sourceType === "Message") refetch();
    },
  });
  usePolling(refetch, { everyMs: ASK_EVERY_MS, enabled: isAsked, whenVisible: true });
  return isAsked ? { messages: newest.filter(waits), refetch } : null;
}

const waitingText = (count: number) => (count === 0 ? "none waits" : `${formatCount(count)} waiting`);

function waits({ approvedAt, deletedAt, createdAt }: MessageView): boolean {
  return approvedAt === null && deletedAt === null && Date.parse(createdAt) > serverNow() - WAITS_MS;
}

/** The chat messages that wait for a host before they are on the big screen: each is let there, or removed, by a click. */
function Approvals({ waiting }: { waiting: Waiting }) {
  const api = useApi();
  const [failed, setFailed] = useState(false);
  if (waiting === null) return null;
  const { messages, refetch } = waiting;
  const act = (perform: (of: Api) => Promise<unknown>) => {
    perform(api)
      .then(
        () => setFailed(false),
        () => setFailed(true),
      )
      .finally(refetch);
  };
  return (
    <section className="panel approvals" aria-label={chatForScreen}>
      <header>
        <h2>{chatForScreen}</h2>
        <span className="push small ink2 num">{waitingText(messages.length)}</span>
      </header>
      {failed ? <Note tone="bad">{words.thatDidNotWork}</Note> : null}
      {messages.length === 0 ? null : (
        <ul>
          {messages.map((message) => (
            <WaitingRow key={message.id} message={message} act={act} refetch={refetch} />
          ))}
        </ul>
      )}
    </section>
  );
}

type RowProps = {
  message: MessageView;
  act: (perform: (of: Api) => Promise<unknown>) => void;
  refetch: () => void;
};

function WaitingRow({ message: { id, userId, username, body }, act, refetch }: RowProps) {
  return (
    <li>
      <p className="wrap-anywhere">
        <b translate="no">{username}</b> <span className="said-text">{body}</span>
      </p>
      <p className="row wrap">
        <button
          className="btn sm primary"
          type="button"
          aria-label={`Show the message of ${username} on the big screen`}
          onClick={() => act((api) => api.put(`/api/v1/messages/${id}/approve`))}
        >
          {words.show}
        </button>
        <button
          className="btn sm bad"
          type="button"
          aria-label={`Remove the message of ${username}`}
          onClick={() => act((api) => api.delete(`/api/v1/messages/${id}`))}
        >
          {words.remove}
        </button>
        <TakeNameAway user={{ id: userId, username }} onDone={refetch} />
      </p>
    </li>
  );
}

const DOOR_ID = "door";
const REMOVE = "removeWave";
const RESTORE = "restoreWave";
const ofWaves: readonly string[] = ["remove_wave", "restore_wave"];

/** Who comes in: the lock of the room, what the brake holds back, and the removal of all who came together. */
function Door({ held }: { held: number }) {
  const { session } = useShow();
  const { waves } = useLoaderData<ShowPage>();
  useFollowingWaves(waves !== null);
  if (session.state === "stopped") return null;
  const { locked } = session.settings;
  return (
    <section className="panel" aria-labelledby={DOOR_ID}>
      <header>
        <h2 id={DOOR_ID}>Door</h2>
      </header>
      <div className="pad-row stack">
        <p className="small ink2" role="status">
          {locked
            ? "Locked: who is in plays on, and nobody else comes in."
            : "Open to all with the code or the link."}
          {held === 0 ? null : (
            <b className="bad">{` ${countOf(held, "guest")} held back: they come faster than people walk in.`}</b>
          )}
        </p>
        <div className="row wrap">
          <Act intent={locked ? "unlock" : "lock"} disabledReason={null} className="btn sm">
            {locked ? "Unlock the room" : "Lock the room"}
          </Act>
          <Link className="btn sm" to={`?${WAVES}=1`} preventScrollReset>
            {waves === null ? "Who came together" : "Look again"}
          </Link>
        </div>
      </div>
      {waves === null ? null : (
        <ul className="readings" aria-label="Who came together">
          {waves.arrived.length === 0 ? (
            <li className="small ink2">{`Nobody in the last ${WAVE_MINUTES} minutes.`}</li>
          ) : null}
          {waves.arrived.map((wave) => (
            <Arrived key={wave.id} wave={wave} until={waves.meta.serverTime} />
          ))}
          {waves.removed.map((wave) => (
            <Removed key={wave.id} wave={wave} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** After an act on waves, also of another host, the list is another one. */
function useFollowingWaves(isShown: boolean): void {
  const { audit } = useShow();
  const { revalidate } = useRevalidator();
  const newest = audit.find(({ action }) => ofWaves.includes(action))?.id ?? 0;
  const known = useRef(newest);
  useEffect(() => {
    if (known.current === newest) return;
    known.current = newest;
    if (isShown) void revalidate();
  }, [newest, isShown, revalidate]);
}

function Arrived({ wave: { id, count, usernames, at }, until }: { wave: Wave; until: string }) {
  const zone = useTimeZone();
  const players = countOf(count, "player");
  return (
    <li className="row wrap">
      <span className="small">{`${players} from one network, the last at ${formatClock(at, zone)}`}</span>
      <span className="push">
        <AskAct
          label={
            <>
              <span>{words.remove}</span>{" "}
              <span className="vh">{`${players}: ${usernames.slice(0, 3).join(", ")}`}</span>
            </>
          }
          className="btn sm bad"
          title={`Remove ${players} who came from one network?`}
          act={{
            label: `Remove ${players}`,
            intent: REMOVE,
            className: "btn bad",
          }}
        >
          <input type="hidden" name="wave" value={id} />
          <input type="hidden" name="until" value={until} />
          <Names usernames={usernames} count={count} />
          <p>
            The show does not exist for them until there is a newer code. Calls and results stay. It can be
            undone here. A pub or a school is one network too: lock the room first if more are coming.
          </p>
        </AskAct>
      </span>
    </li>
  );
}

function Removed({ wave: { id, count, usernames, at } }: { wave: Wave }) {
  const zone = useTimeZone();
  return (
    <li className="row wrap">
      <span className="small">{`${countOf(count, "player")} removed at ${formatClock(at, zone)}`}</span>
      <span className="push">
        <Act intent={RESTORE} disabledReason={null} className="btn sm" fields={{ wave: id }}>
          {words.undo}
          <span className="vh">{`: let ${usernames.slice(0, 3).join(", ")} in again`}</span>
        </Act>
      </span>
    </li>
  );
}

function Names({ usernames, count }: Pick<Wave, "usernames" | "count">) {
  const others = count - usernames.length;
  return (
    <p className="wrap-anywhere" translate="no">
      {[...usernames, ...(others > 0 ? [`${others} more`] : [])].join(", ")}
    </p>
  );
}

/** The latest act of a person: announced to screen readers, and visible where the audit is not. */
export function LatestAct() {
  const newest = useShow().audit.find(({ actor }) => actor !== null);
  return (
    <p className="last-word small ink2 clip" role="status">
      {newest === undefined ? "" : say`${describeLine(newest)} ${newest.subject.title ?? ""}`}
    </p>
  );
}

function AuditPanel() {
  const { audit } = useShow();
  return (
    <Panel title={words.audit}>
      {/* The list scrolls and contains nothing focusable, so it needs a tab stop of its own. */}
      <ol className="audit" aria-label={words.audit} tabIndex={0}>
        {audit.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ol>
    </Panel>
  );
}

function Line({ line }: { line: AuditLineView }) {
  const { at, reason } = line;
  const { title } = line.subject;
  return (
    <li>
      <time className="tiny muted num" dateTime={at}>
        {formatClock(at, useTimeZone())}
      </time>
      <span>
        <span>{describeLine(line)}</span>
        {title === null ? null : <span className="ink2">{` ${title}`}</span>}
        {reason === null || reason === "" ? null : <span className="reason tiny muted">{reason}</span>}
      </span>
    </li>
  );
}
