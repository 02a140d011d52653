import { useEffect, useId, useState } from "react";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { ActForm } from "../act-form.tsx";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/start-texts.ts";
import { keyOf } from "../use-acting.ts";
import { CopyField } from "./copy-field.tsx";
import { JoinLink, RenewJoinCode } from "./join-link.tsx";
import { useOrigin } from "./use-origin.ts";

const RENEW = "renewStageLink";
const RENEWED = "renew_stage_link";

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
    <section className="stack" aria-label={texts.stageLink}>
      <p className="small ink2">{texts.stageLinkHint}</p>
      <CopyField url={url} label={texts.stageLink} copyLabel={texts.copyStageLink} note={note} />
      <p className="small ink2">{texts.overlayHint}</p>
      <CopyField url={overlay} label={texts.overlayLink} copyLabel={texts.copyOverlayLink} />
      <Confirm
        label={texts.newStageLink}
        className="btn wide"
        title={texts.newStageLinkTitle}
        form={ActForm}
        act={{ label: texts.newStageLinkConfirm, intent: RENEW, busy: acting.busy.has(keyOf(RENEW, "")) }}
        cancelLabel={texts.newStageLinkCancel}
      >
        <p>{texts.newStageLinkWarning}</p>
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
          note: known.key === "" || known.key === key ? "" : texts.stageLinkIsNew,
        })),
      () => left.signal.aborted || setLink({ key: "", note: texts.stageLinkFailed }),
    );
    return () => left.abort();
  }, [api, session.slug, wanted, renewal]);
  return link;
}
