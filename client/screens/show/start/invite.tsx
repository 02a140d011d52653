import { useEffect, useId, useState } from "react";
import * as words from "#client/base/format/words.ts";
import { useApi } from "#client/base/page/context.ts";
import { ActForm } from "#client/screens/show/act-form.tsx";
import { useShow } from "#client/screens/show/show-context.ts";
import { keyOf } from "#client/screens/show/use-acting.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { Confirm } from "#client/ui/confirm.tsx";
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
    <section className="stack" aria-label={words.stageLink}>
      <p className="small ink2">
        For the projector. It opens the big screen where nobody is signed in: before, during and after the
        show.
      </p>
      <CopyField url={url} label={words.stageLink} copyLabel="Copy stage link" note={note} />
      <p className="small ink2">
        For a stream. In OBS add a browser source with this address, 1920 wide and 1080 high: it lies over the
        video.
      </p>
      <CopyField url={overlay} label="Link for OBS" copyLabel="Copy link for OBS" />
      <Confirm
        label="New stage link"
        className="btn wide"
        title="Make a new stage link?"
        form={ActForm}
        act={{
          label: "Make a new link",
          intent: RENEW,
          busy: acting.busy.has(keyOf(RENEW, "")),
        }}
        cancelLabel="Keep this one"
      >
        <p>The link before stops working. Open the new one where it was open.</p>
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
