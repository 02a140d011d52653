import { Confirm } from "#client/ui/confirm.tsx";
import { Note } from "#client/ui/note.tsx";
import { QrCode } from "#client/ui/qr-code.tsx";
import { spacedCode } from "#src/show/join-codes/contract.ts";
import { ActForm } from "../act-form.tsx";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/start-texts.ts";
import { keyOf } from "../use-acting.ts";
import { CopyField } from "./copy-field.tsx";
import { useJoinCode } from "./use-join-code.ts";
import { isThisComputer, useOrigin } from "./use-origin.ts";

const RENEW = "renewJoinCode";

/** How players come in: the code to type, the link with it in a field with a button that copies it, and its QR code. */
export function JoinLink() {
  const { session } = useShow();
  const code = useJoinCode();
  // The server does not know by which name the browser reaches it.
  const origin = useOrigin();
  const url = `${origin}/join?code=${code}`;
  return (
    <div className="join-link">
      <div className="qr">
        {origin === "" ? null : <QrCode text={url} label={texts.qrLabel(session.name)} />}
      </div>
      <div>
        <p className="small ink2">{texts.codeAt(`${origin.replace(/^https?:\/\//, "")}/join`)}</p>
        <b className="join-code num" translate="no">
          {spacedCode(code)}
        </b>
      </div>
      <CopyField url={url} label={texts.joinLink} copyLabel={texts.copy} />
      {isThisComputer(origin) ? <Note tone="warn">{texts.onlyThisComputer}</Note> : null}
    </div>
  );
}

/** Makes a new code. Who has the one before and has not joined needs the new one. */
export function RenewJoinCode() {
  const { acting } = useShow();
  return (
    <Confirm
      label={texts.newCode}
      className="btn wide"
      title={texts.newCodeTitle}
      form={ActForm}
      act={{ label: texts.newCodeConfirm, intent: RENEW, busy: acting.busy.has(keyOf(RENEW, "")) }}
      cancelLabel={texts.newCodeCancel}
    >
      <p>{texts.newCodeWarning}</p>
    </Confirm>
  );
}
