import { useEffect, useId, useState } from "react";
import { useLoaderData } from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import { useOrigin } from "#client/base/browser/use-hydrated.ts";
import { formatMoment } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { troubleText } from "#client/ui/forms/refused-in-form.ts";
import { isTrouble, refusalText } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { QrCode } from "#client/ui/qr-code.tsx";
import { Select } from "#client/ui/select.tsx";
import { say } from "#src/http/contract.ts";
import type { DockView } from "#src/show/docks/schemas.ts";
import { spacedCode } from "#src/show/join-codes/contract.ts";
import { overlayParts, overlayPlaces } from "#src/show/stage/contract.ts";
import { AskAct } from "../running/act-form.tsx";
import { useShow } from "../running/show-context.ts";
import { joinCodeOf, type JoinCode, type ShowPage } from "../running/show-state.ts";
import { Checks, type Check } from "./checklist.tsx";
import { CopyField } from "./copy-field.tsx";

/** How players come in, with a QR code that a phone reads from the screen, and the big screen with its link. */
export function Invite() {
  const id = useId();
  const { slug, settings } = useShow().session;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button className="btn" type="button" popoverTarget={id} aria-haspopup="dialog">
        Invite
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
        <h2 id={`${id}-title`}>Invite players</h2>
        <p className="ink2">
          {settings.private
            ? "A private show: only who has the code or the link finds it. Guests may play too."
            : "Everybody with the code or the link can play, also as a guest."}
        </p>
        <div className="parts">
          <div className="stack">
            <JoinLink />
            <RenewJoinCode />
            <Docks wanted={isOpen} />
          </div>
          <div className="stack">
            <a className="btn wide" href={`/sessions/${slug}/stage`} target="_blank" rel="noreferrer">
              Open the big screen
            </a>
            <StageLink wanted={isOpen} />
          </div>
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

/** How players come in: the code to type, the link with it in a field with a button that copies it, and its QR code. */
function JoinLink() {
  const { session } = useShow();
  const { code, search } = useJoinCode();
  // The server does not know by which name the browser reaches it.
  const origin = useOrigin();
  const url = `${origin}/join${search}`;
  return (
    <div className="join-link">
      <div className="qr">
        {origin === "" ? null : <QrCode text={url} label={`QR code of the link to ${session.name}`} />}
      </div>
      <div>
        <p className="small ink2">{`Code at ${`${origin.replace(/^https?:\/\//, "")}/join`}`}</p>
        <b className="join-code num" translate="no">
          {spacedCode(code)}
        </b>
      </div>
      <CopyField url={url} label="Link for players" copyLabel="Copy the link" />
      {isThisComputer(origin) ? (
        <Note tone="warn">
          Phones cannot open this link: it leads to this computer. Start the product for phones in the room
          (README), and open this page by that address.
        </Note>
      ) : null}
    </div>
  );
}

/** Makes a new code. Who has the one before and has not joined needs the new one. */
function RenewJoinCode() {
  return (
    <AskAct
      label="New code"
      className="btn wide"
      title="Make a new code?"
      act={{ label: "Make a new code", intent: "renewJoinCode" }}
      cancelLabel="Keep this one"
    >
      <p>
        The code and the link before stop working, on the big screen too. Who has joined stays. Who was
        removed can come back with the new one.
      </p>
    </AskAct>
  );
}

/** The session's join code, loaded again when a host has renewed it: the audit says so on the pages of all hosts. */
function useJoinCode(): JoinCode {
  const api = useApi();
  const { joinCode } = useLoaderData<ShowPage>();
  const { session, audit } = useShow();
  const renewal = audit.find(({ action }) => action === "renew_join_code")?.id ?? 0;
  const [known, setKnown] = useState({ joinCode, renewal });
  useEffect(() => {
    if (renewal === known.renewal) return undefined;
    const left = new AbortController();
    api.get(`${sessionPath(session.slug)}/join_code`, { signal: left.signal }).then(
      (answer) => setKnown({ joinCode: joinCodeOf(answer), renewal }),
      // The next message about the session tries again.
      () => undefined,
    );
    return () => left.abort();
  }, [api, session.slug, renewal, known.renewal]);
  return known.joinCode;
}

/** True where only the computer of this browser can open the origin. */
function isThisComputer(origin: string): boolean {
  return /^https?:\/\/(localhost|[^/]+\.localhost|127\.[\d.]+|\[::1\])(:\d+)?$/.test(origin);
}

/**
 * What a host needs before the start, in one panel: what is ready, and the link for players. It stands above the stage, on a phone above
 * the running order too, and on a wide screen in the right column.
 */
export function BeforeShow({ checks }: { checks: readonly Check[] }) {
  return (
    <div className="before-show">
      <Panel title={words.beforeTheShow}>
        <Checks checks={checks} />
        <div className="pad-row">
          <JoinLink />
        </div>
      </Panel>
    </div>
  );
}

/** The docks of the session: narrow pages for OBS in which the show is run by their link. A link is shown once, where it was made. */
function Docks({ wanted }: { wanted: boolean }) {
  const { docks, made, trouble, make } = useDocks(wanted);
  return (
    <section className="stack docks" aria-label="Docks">
      <p className="small ink2">
        For OBS, under Docks, Custom Browser Docks: 320 pixels in which the show is run. Who has the link runs
        it in your name, until the end of the show.
      </p>
      {made === "" ? null : (
        <CopyField
          url={made}
          label="Link of the dock"
          copyLabel="Copy link of the dock"
          note="It is shown only now."
        />
      )}
      {trouble === "" ? null : <Note tone="bad">{trouble}</Note>}
      <button className="btn wide with-script" type="button" onClick={() => void make()}>
        New dock
      </button>
      <ul className="stack">
        {docks.map((dock) => (
          <Dock key={dock.id} dock={dock} />
        ))}
      </ul>
    </section>
  );
}

function Dock({ dock: { id, madeBy, createdAt, lastUsedAt } }: { dock: DockView }) {
  const zone = useTimeZone();
  const used = lastUsedAt === null ? "not used yet" : `used ${formatMoment(lastUsedAt, zone)}`;
  return (
    <li className="row">
      <span className="small">{say`Dock of ${madeBy}, made ${formatMoment(createdAt, zone)}, ${used}`}</span>
      <span className="push">
        <AskAct
          label="Revoke"
          className="btn sm"
          title={say`Revoke the dock of ${madeBy}?`}
          act={{ label: "Revoke it", intent: "revokeDock", className: "btn bad" }}
          cancelLabel="Keep it"
        >
          <input type="hidden" name="dock_id" value={id} />
          <p>Its link stops working where it is open.</p>
        </AskAct>
      </span>
    </li>
  );
}

/** The docks, loaded when they are wanted, and again after each change: the audit tells the pages of all hosts. */
function useDocks(wanted: boolean) {
  const api = useApi();
  const origin = useOrigin();
  const { session, audit } = useShow();
  const changed = audit.find(({ action }) => action.endsWith("_access_token"))?.id ?? 0;
  const [docks, setDocks] = useState<readonly DockView[]>([]);
  const [made, setMade] = useState({ path: "", trouble: "" });
  const path = `${sessionPath(session.slug)}/docks` as const;
  useEffect(() => {
    if (!wanted) return;
    const left = new AbortController();
    api.get(path, { signal: left.signal }).then(
      (answer) => setDocks(answer.docks),
      // What is known stays; opened again, they are asked for again.
      () => undefined,
    );
    return () => left.abort();
  }, [api, path, wanted, changed, made]);
  const make = async () => {
    try {
      const { url } = await api.post(path);
      const { pathname, hash } = new URL(url);
      setMade({ path: pathname + hash, trouble: "" });
    } catch (error) {
      setMade({ path: "", trouble: textOf(error) });
    }
  };
  return { docks, made: made.path === "" ? "" : origin + made.path, trouble: made.trouble, make };
}

function textOf(error: unknown): string {
  if (isTrouble(error)) return troubleText(error);
  return error instanceof ApiError ? refusalText(error) : "No dock was made. Try again.";
}

/**
 * The link to the big screen for those who are not signed in, and the same for OBS, with buttons that copy them; and one that makes a
 * new link.
 */
function StageLink({ wanted }: { wanted: boolean }) {
  const { session } = useShow();
  const origin = useOrigin();
  const { key, note } = useStageKey(wanted);
  const url = key === "" ? "" : `${origin}/sessions/${session.slug}/stage?key=${key}`;
  return (
    <section className="stack" aria-label="Stage link">
      <p className="small ink2">
        For the projector. It opens the big screen where nobody is signed in: before, during and after the
        show.
      </p>
      <CopyField url={url} label="Stage link" copyLabel="Copy stage link" note={note} />
      <OverlayLink stage={url} />
      <AskAct
        label="New stage link"
        className="btn wide"
        title="Make a new stage link?"
        act={{ label: "Make a new link", intent: "renewStageLink" }}
        cancelLabel="Keep this one"
      >
        <p>The link before stops working. Open the new one where it was open.</p>
      </AskAct>
    </section>
  );
}

/** The same over a video: all of it, or a part in a place. */
function OverlayLink({ stage }: { stage: string }) {
  const [part, setPart] = useState("1");
  const [place, setPlace] = useState("bottom-left");
  const query = part === "1" ? "&overlay=1" : `&overlay=${part}&place=${place}`;
  return (
    <>
      <p className="small ink2">
        For a stream. In OBS add a browser source with this address, 1920 wide and 1080 high: it lies over the
        video. The address says what it shows and where: overlay is 1, third, bar, corner or clock, place is
        such as top-right, and chat=0 leaves the chat out.
      </p>
      <div className="row with-script">
        <Select
          className="input sm"
          aria-label="Overlay"
          options={overlayParts}
          value={part}
          onChange={({ currentTarget }) => setPart(currentTarget.value)}
        />
        {part === "1" ? null : (
          <Select
            className="input sm"
            aria-label="Place"
            options={overlayPlaces}
            value={place}
            onChange={({ currentTarget }) => setPlace(currentTarget.value)}
          />
        )}
      </div>
      <CopyField url={stage === "" ? "" : stage + query} label="Link for OBS" copyLabel="Copy link for OBS" />
    </>
  );
}

/** The key, loaded when it is wanted, and again when a host has renewed it: the audit says so on the pages of all hosts. */
function useStageKey(wanted: boolean): { key: string; note: string } {
  const api = useApi();
  const { session, audit } = useShow();
  const renewal = audit.find(({ action }) => action === "renew_stage_link")?.id ?? 0;
  const [link, setLink] = useState({ key: "", note: "" });
  useEffect(() => {
    if (!wanted) return;
    const left = new AbortController();
    api.get(`${sessionPath(session.slug)}/stage_link`, { signal: left.signal }).then(
      ({ stageLink: { key } }) =>
        setLink((known) => ({
          key,
          note: known.key === "" || known.key === key ? "" : "This is the new link.",
        })),
      () =>
        left.signal.aborted ||
        setLink({ key: "", note: "The link could not be loaded. Close this and open it again." }),
    );
    return () => left.abort();
  }, [api, session.slug, wanted, renewal]);
  return link;
}
