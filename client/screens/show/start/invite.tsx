import { useEffect, useId, useState } from "react";
import { useLoaderData } from "react-router";
import * as words from "#client/base/format/words.ts";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { QrCode } from "#client/ui/qr-code.tsx";
import { spacedCode } from "#src/show/join-codes/contract.ts";
import { AskAct } from "../running/act-form.tsx";
import { useShow } from "../running/show-context.ts";
import { joinCodeOf, type JoinCode, type ShowPage } from "../running/show-state.ts";
import { Checks, type Check } from "./checklist.tsx";
import { CopyField, useOrigin } from "./copy-field.tsx";
import { Docks } from "./docks.tsx";
import { StageLink } from "./stage-link.tsx";

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
