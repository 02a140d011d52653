import { useId, useRef, useState, useSyncExternalStore } from "react";
import { copyText } from "../../browser/copy-text.ts";
import { QrCode } from "../../qr/qr-code.tsx";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/start-texts.ts";

/** The link for players, with a QR code that a phone reads from the screen. */
export function Invite() {
  const id = useId();
  const { slug } = useShow().session;
  return (
    <>
      <button className="btn" type="button" popoverTarget={id} aria-haspopup="dialog">
        {texts.invite}
      </button>
      <dialog className="dialog invite" id={id} popover="auto" aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>{texts.inviteTitle}</h2>
        <p className="ink2">{texts.inviteHint}</p>
        <JoinLink />
        <a className="btn wide" href={`/sessions/${slug}/stage`} target="_blank" rel="noreferrer">
          {texts.bigScreen}
        </a>
        <button className="btn wide" type="button" popoverTarget={id} popoverTargetAction="hide">
          {texts.close}
        </button>
      </dialog>
    </>
  );
}

/** The link in a field, a button that copies it, and its QR code. */
export function JoinLink() {
  const { session } = useShow();
  const url = useJoinUrl(session.slug);
  const field = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState("");
  const copy = async () => {
    field.current?.select();
    setOutcome((await copyText(url)) ? texts.copied : texts.copyFailed);
  };
  return (
    <div className="join-link">
      <div className="qr">
        {url.startsWith("/") ? null : <QrCode text={url} label={texts.qrLabel(session.name)} />}
      </div>
      <div className="stack">
        <input className="input sm" readOnly value={url} aria-label={texts.joinLink} ref={field} />
        <button className="btn" type="button" onClick={() => void copy()}>
          {texts.copy}
        </button>
        <p className="small ink2" role="status">
          {outcome}
        </p>
      </div>
    </div>
  );
}

/** The absolute address of the session for players. The server does not know by which name the browser reaches it. */
function useJoinUrl(slug: string): string {
  const origin = useSyncExternalStore(
    neverChanges,
    () => globalThis.location.origin,
    () => "",
  );
  return `${origin}/sessions/${slug}`;
}

function neverChanges(): () => void {
  return () => undefined;
}
