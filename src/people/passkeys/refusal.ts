import { Refusal } from "#src/base/refusal.ts";

/** 401, the same for an unknown passkey and for whatever is wrong with its answer. */
export function passkeyRefused(): Refusal {
  return new Refusal(401, "passkey_refused", "This passkey was not accepted.", {
    detail: "Try again, or sign in with your password.",
  });
}

/** 403: the setting demands passkeys of admins, and this sign-in was by password. */
export function passkeyRequired(): Refusal {
  return new Refusal(403, "passkey_required", "Sign in with your passkey first.");
}
