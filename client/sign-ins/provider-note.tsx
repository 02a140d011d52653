import type { OidcRefusal } from "#src/people/oidc/contract.ts";
import { usePage } from "../base/page/context.ts";
import { Note } from "../ui/note.tsx";
import { ProviderLink } from "./provider-link.tsx";

const WITHOUT_GUEST = "Or sign in without the guest, who stays behind then.";

/** Why the provider's sign-in was refused, and what to do about it. */
const texts: Readonly<Record<OidcRefusal, (name: string) => string>> = {
  away: (name) => `${name} does not answer right now. Try again in a minute.`,
  refused: (name) => `${name} did not confirm this sign-in. Try again.`,
  begin_again: () => "This sign-in took too long, is used up, or began in another browser. Try again.",
  no_email: (name) =>
    `${name} did not say your email address. Ask the people who run it to let this site read the claim “email”.`,
  unverified: (name) => `${name} has not checked your email address. Confirm it there, then try again.`,
  unconfirmed_here: () =>
    "An account here has your address, and nobody has confirmed it. Confirm it by “Forgot your password?” or by our mail, then try again.",
  taken: (name) =>
    `An account here has your address, and signs in as somebody else of ${name}. Ask an admin of this site: if it is yours, the page of its user has “Unlink from ${name}”.`,
  somebody_else: (name) =>
    `You signed in at ${name} as somebody else. Try again as the owner of this account.`,
  inactive: () => "Your account is not activated yet. Ask the host to activate it.",
  no_guest: () => "The guest of this browser is gone. Try again.",
  open_calls: () => `The guest has open calls. Wait for the results or take the calls back. ${WITHOUT_GUEST}`,
  excluded: () => `A host has taken this guest out of a leaderboard. ${WITHOUT_GUEST}`,
  two_teams: () => `The guest has results in another team than your account. ${WITHOUT_GUEST}`,
  too_many_guests: () => `Your account has taken in as many guests as it may. ${WITHOUT_GUEST}`,
  rate_limited: () => "Too many attempts. Try again in a few minutes.",
  failed: () => "The sign-in did not work. Try again in a minute.",
};
const ofGuest: readonly string[] = ["open_calls", "excluded", "two_teams", "too_many_guests"];

/** The refusal of a sign-in at the provider. @param code in the address; what is none shows nothing. */
export function ProviderNote({ code, returnTo }: { code: string | null; returnTo: string | null }) {
  const { oidc } = usePage();
  if (oidc === undefined || code === null || !isRefusal(code)) return null;
  const { name } = oidc;
  return (
    <Note tone="bad">
      {texts[code](name)}{" "}
      {ofGuest.includes(code) ? (
        <ProviderLink
          className="link"
          label="Sign in without the guest"
          guest="leave"
          {...(returnTo === null ? {} : { return_to: returnTo })}
        />
      ) : null}
    </Note>
  );
}

export const isRefusal = (code: string): code is OidcRefusal => Object.hasOwn(texts, code);
