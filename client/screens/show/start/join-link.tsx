import { useEffect, useState } from "react";
import { useLoaderData } from "react-router";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { Note } from "#client/ui/note.tsx";
import { QrCode } from "#client/ui/qr-code.tsx";
import { spacedCode } from "#src/show/join-codes/contract.ts";
import { ActForm } from "../act-form.tsx";
import { type JoinCode, joinCodeOf, type ShowPage } from "../load-show.ts";
import { useShow } from "../show-context.ts";
import { keyOf } from "../use-acting.ts";
import { CopyField } from "./copy-field.tsx";
import { isThisComputer, useOrigin } from "./use-origin.ts";

const RENEWED = "renew_join_code";

const RENEW = "renewJoinCode";

/** How players come in: the code to type, the link with it in a field with a button that copies it, and its QR code. */
export function JoinLink() {
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
export function RenewJoinCode() {
  const { acting } = useShow();
  return (
    <Confirm
      label="New code"
      className="btn wide"
      title="Make a new code?"
      form={ActForm}
      act={{ label: "Make a new code", intent: RENEW, busy: acting.busy.has(keyOf(RENEW, "")) }}
      cancelLabel="Keep this one"
    >
      <p>
        The code and the link before stop working, on the big screen too. Who has joined stays. Who was
        removed can come back with the new one.
      </p>
    </Confirm>
  );
}

/** The session's join code, loaded again when a host has renewed it: the audit says so on the pages of all hosts. */
function useJoinCode(): JoinCode {
  const api = useApi();
  const { joinCode } = useLoaderData<ShowPage>();
  const { session, audit } = useShow();
  const renewal = audit.find(({ action }) => action === RENEWED)?.id ?? 0;
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
