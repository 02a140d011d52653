import { WebAuthnError } from "@simplewebauthn/browser";
import { ApiError } from "../base/api/api.ts";

/** What to say after a passkey was not made or not accepted; null: another request of this page took its place. */
export function passkeyErrorText(error: unknown): string | null {
  if (error instanceof ApiError) {
    const [first] = Object.values(error.body?.errors ?? {}).flat();
    return error.body?.detail ?? (first === undefined ? error.message : error.message);
  }
  if (error instanceof WebAuthnError) {
    if (error.code === "ERROR_CEREMONY_ABORTED") return null;
    if (error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
      return "This device has a passkey for your account already.";
  }
  return error instanceof Error && error.name === "NotAllowedError"
    ? "No passkey was chosen. Try again when you are ready."
    : "That did not work. Try again, or use your password.";
}
