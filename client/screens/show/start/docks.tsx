import { useEffect, useState } from "react";
import { ApiError } from "#client/base/api/api.ts";
import { formatMoment } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { troubleText } from "#client/ui/forms/refused-in-form.ts";
import { isTrouble, refusalText } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { say } from "#src/http/contract.ts";
import type { DockView } from "#src/show/docks/schemas.ts";
import { AskAct } from "../running/act-form.tsx";
import { useShow } from "../running/show-context.ts";
import { CopyField, useOrigin } from "./copy-field.tsx";

/** The docks of the session: narrow pages for OBS in which the show is run by their link. A link is shown once, where it was made. */
export function Docks({ wanted }: { wanted: boolean }) {
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
