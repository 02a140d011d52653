import { useEffect, useState } from "react";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { overlayParts, overlayPlaces } from "#src/show/stage/contract.ts";
import { AskAct } from "../running/act-form.tsx";
import { useShow } from "../running/show-context.ts";
import { CopyField, useOrigin } from "./copy-field.tsx";

/**
 * The link to the big screen for those who are not signed in, and the same for OBS, with buttons that copy them; and one that makes a
 * new link.
 */
export function StageLink({ wanted }: { wanted: boolean }) {
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
        <Choice label="Overlay" options={overlayParts} value={part} onChange={setPart} />
        {part === "1" ? null : (
          <Choice label="Place" options={overlayPlaces} value={place} onChange={setPlace} />
        )}
      </div>
      <CopyField url={stage === "" ? "" : stage + query} label="Link for OBS" copyLabel="Copy link for OBS" />
    </>
  );
}

type ChoiceProps = {
  label: string;
  options: Readonly<Record<string, string>>;
  value: string;
  onChange: (value: string) => void;
};

function Choice({ label, options, value, onChange }: ChoiceProps) {
  return (
    <select
      className="input sm"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {Object.entries(options).map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
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
