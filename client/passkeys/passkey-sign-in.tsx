import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
} from "@simplewebauthn/browser";
import { useEffect, useRef, useState } from "react";
import type { Api } from "../base/api/api.ts";
import { useApi } from "../base/page/context.ts";
import { safeReturnPath } from "../base/page/guard.ts";
import { passkeyErrorText } from "./passkey-error.ts";

/**
 * The button that signs in by passkey. Where the browser can, it also offers the passkeys in the email field, as it offers saved
 * passwords. A late part of the sign-in page.
 */
export function PasskeySignIn() {
  const api = useApi();
  const place = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState("");
  useEffect(() => {
    void offerPasskeys(api, () => tickedIn(place.current));
  }, [api]);
  if (!browserSupportsWebAuthn()) return null;
  const press = async () => {
    try {
      await signInByPasskey(api, { autofill: false, ticked: () => tickedIn(place.current) });
    } catch (error) {
      setSaid(passkeyErrorText(error) ?? "");
    }
  };
  return (
    <div ref={place}>
      <button className="btn lg wide" type="button" onClick={() => void press()}>
        Use a passkey
      </button>
      <p className="small ink2" role="status">
        {said}
      </p>
    </div>
  );
}

/** Offers the passkeys in the email field. What nobody chose, or the server refused there, needs no answer: the form goes on. */
async function offerPasskeys(api: Api, ticked: () => Ticked): Promise<void> {
  try {
    if (await browserSupportsWebAuthnAutofill()) await signInByPasskey(api, { autofill: true, ticked });
  } catch {
    // The button and the password are still there.
  }
}

type Ticked = { rememberMe: boolean; mergeGuest: boolean };

/** What is ticked in the form beside the button. */
function tickedIn(place: HTMLElement | null): Ticked {
  const form = place?.closest("section");
  const isTicked = (name: string) =>
    form?.querySelector<HTMLInputElement>(`[name="user[${name}]"]`)?.checked ?? false;
  return { rememberMe: isTicked("remember_me"), mergeGuest: isTicked("merge_guest") };
}

async function signInByPasskey(
  api: Api,
  { autofill, ticked }: { autofill: boolean; ticked: () => Ticked },
): Promise<void> {
  const { options } = await api.post("/users/sign_in/passkey/options");
  const credential = await startAuthentication({ optionsJSON: options, useBrowserAutofill: autofill });
  await api.post("/users/sign_in/passkey", { user: { credential, ...ticked() } });
  // A new document: the token, the viewer and all loaded data belong to another user now.
  location.assign(safeReturnPath(new URL(location.href).searchParams.get("return_to")));
}
