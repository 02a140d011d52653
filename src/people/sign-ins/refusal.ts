import { invalid, Refusal } from "#src/base/refusal.ts";

// All refusals about signing in. The general 401, "You need to sign in or sign up before continuing.", is used by all rooms:
// see unauthenticated in src/base/refusal.ts.

export function alreadySignedIn(): Refusal {
  return new Refusal(409, "already_signed_in", "You are already signed in.");
}

/** 401, the same for an unknown email and for a wrong password. */
export function invalidCredentials(): Refusal {
  return new Refusal(401, "invalid_credentials", "Invalid credentials or password.");
}

/** 401: one more wrong password locks the account. */
export function lastAttempt(): Refusal {
  return new Refusal(401, "last_attempt", "You have one more attempt before your account is locked.");
}

/** 403 for a locked account, whether or not the password is right. */
export function accountLocked(): Refusal {
  return new Refusal(403, "locked", "Your account is locked.", {
    detail: "Unlock it by the link in the mail that we sent, or wait an hour.",
  });
}

/** 403 for a deactivated account, after the right password. */
export function notActivated(): Refusal {
  return new Refusal(403, "inactive", "Your account is not activated yet.", {
    detail: "Ask the host to activate it.",
  });
}

/** 403 at the sign-in; 401 for an existing sign-in, once the time to confirm is over. */
export function unconfirmed(status: 401 | 403): Refusal {
  return new Refusal(status, "unconfirmed", "You have to confirm your email address before continuing.", {
    detail: "Open the link in the mail that we sent, or have it sent again.",
  });
}

export function sessionExpired(): Refusal {
  return new Refusal(401, "session_expired", "Your session expired. Please sign in again to continue.");
}

/** 403: the page for a new password was opened without a token. */
export function resetTokenMissing(): Refusal {
  return new Refusal(
    403,
    "reset_token_missing",
    "You can't access this page without coming from a password reset email.",
    { detail: "If you come from one, use its whole address." },
  );
}

/** 422: the link of a mail is invalid, used, replaced by a newer one, or expired. */
export function tokenInvalid(field: "resetPasswordToken" | "confirmationToken" | "unlockToken"): Refusal {
  return invalid(
    { [field]: ["is invalid"] },
    { detail: "This link is used up or too old. Ask for a new one." },
  );
}

/** 403: this installation takes no passwords and no passkeys. @param name of the provider. */
export function providerOnly(name: string): Refusal {
  return new Refusal(403, "provider_only", `Here everybody signs in with ${name}.`);
}
