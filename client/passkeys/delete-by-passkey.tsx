import { browserSupportsWebAuthn, startAuthentication } from "@simplewebauthn/browser";
import { useState } from "react";
import { endOwnSignIn } from "../base/live/sign-in-visit.ts";
import { useApi } from "../base/page/context.ts";
import { leaveDevice } from "../sign-ins/sign-out.ts";
import { passkeyErrorText } from "./passkey-error.ts";

/** In the question whether to delete the account: a passkey instead of the password. A late part of the account page. */
export function DeleteByPasskey() {
  const api = useApi();
  const [said, setSaid] = useState("");
  if (!browserSupportsWebAuthn()) return null;
  const press = async () => {
    setSaid("");
    try {
      const { options } = await api.post("/api/v1/users/me/passkeys/confirmation");
      const credential = await startAuthentication({ optionsJSON: options });
      await endOwnSignIn(() => api.put("/api/v1/users/me/delete", { user: { credential } }));
    } catch (error) {
      setSaid(passkeyErrorText(error) ?? "");
      return;
    }
    await leaveDevice();
    location.assign("/users/sign_in?now=account_deleted");
  };
  return (
    <div>
      <button className="btn wide" type="button" onClick={() => void press()}>
        Delete for good with a passkey
      </button>
      <p className="small ink2" role="status">
        {said}
      </p>
    </div>
  );
}
