import { useId, useState } from "react";
import { QrCode } from "#client/ui/qr-code.tsx";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/start-texts.ts";
import { CopyField } from "./copy-field.tsx";
import { StageLink } from "./stage-link.tsx";
import { useOrigin } from "./use-origin.ts";

/** The link for players, with a QR code that a phone reads from the screen, and the big screen with its link. */
export function Invite() {
  const id = useId();
  const { slug } = useShow().session;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button className="btn" type="button" popoverTarget={id} aria-haspopup="dialog">
        {texts.invite}
      </button>
      <dialog
        className="dialog invite"
        id={id}
        popover="auto"
        aria-labelledby={`${id}-title`}
        // The question in it opens and closes too.
        onToggle={({ newState, target, currentTarget }) => {
          if (target === currentTarget) setIsOpen(newState === "open");
        }}
      >
        <h2 id={`${id}-title`}>{texts.inviteTitle}</h2>
        <p className="ink2">{texts.inviteHint}</p>
        <JoinLink />
        <a className="btn wide" href={`/sessions/${slug}/stage`} target="_blank" rel="noreferrer">
          {texts.bigScreen}
        </a>
        <StageLink wanted={isOpen} />
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
  // The server does not know by which name the browser reaches it.
  const url = `${useOrigin()}/sessions/${session.slug}`;
  return (
    <div className="join-link">
      <div className="qr">
        {url.startsWith("/") ? null : <QrCode text={url} label={texts.qrLabel(session.name)} />}
      </div>
      <CopyField url={url} label={texts.joinLink} copyLabel={texts.copy} />
    </div>
  );
}
