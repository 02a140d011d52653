import { sendLink } from "#client/share/send-share.ts";
import { QrCode } from "#client/ui/qr-code.tsx";
import { spacedCode } from "#src/show/join-codes/contract.ts";
import type { StageAnswer } from "#src/show/stage/schemas.ts";

/** The code to say, the QR code to show, and the link to send. */
function Invite({ joinCode, joinUrl, name }: Pick<StageAnswer, "joinCode" | "joinUrl"> & { name: string }) {
  const address = joinUrl.replace(/^https?:\/\//, "").replace(/\?.*$/, "");
  return (
    <div className="invite-way">
      <QrCode text={joinUrl} label={`QR code of the link to ${name}`} />
      <p className="small ink2">
        Code at <b>{address}</b>
      </p>
      <b className="invite-code num" translate="no">
        {spacedCode(joinCode)}
      </b>
      <button
        className="btn primary lg wide"
        type="button"
        onClick={() => void sendLink({ title: name, url: joinUrl }, joinUrl)}
      >
        Send the link
      </button>
      <input className="input sm" readOnly value={joinUrl} aria-label="Link for players" />
    </div>
  );
}

/** The code that comes when the sheet is opened, with what draws the QR code. */
export const inviteParts = { Invite };
