import { useId, useState } from "react";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/start-texts.ts";
import { JoinLink, RenewJoinCode } from "./join-link.tsx";
import { StageLink } from "./stage-link.tsx";

/** How players come in, with a QR code that a phone reads from the screen, and the big screen with its link. */
export function Invite() {
  const id = useId();
  const { slug, settings } = useShow().session;
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
          if (target !== currentTarget) return;
          setIsOpen(newState === "open");
          // The browser has scrolled to the first control. A phone begins with the title.
          currentTarget.scrollTop = 0;
        }}
      >
        <h2 id={`${id}-title`}>{texts.inviteTitle}</h2>
        <p className="ink2">{settings.private ? texts.invitePrivateHint : texts.inviteHint}</p>
        <div className="parts">
          <div className="stack">
            <JoinLink />
            <RenewJoinCode />
          </div>
          <div className="stack">
            <a className="btn wide" href={`/sessions/${slug}/stage`} target="_blank" rel="noreferrer">
              {texts.bigScreen}
            </a>
            <StageLink wanted={isOpen} />
          </div>
        </div>
        <footer>
          <button className="btn" type="button" popoverTarget={id} popoverTargetAction="hide">
            {texts.close}
          </button>
        </footer>
      </dialog>
    </>
  );
}
