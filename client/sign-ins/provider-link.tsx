import { OIDC_PATH } from "#src/people/oidc/contract.ts";
import { PROVIDER_PROOF } from "#src/people/sign-ins/contract.ts";

// The ways to the provider of an organisation. They are links and not forms: they work without JavaScript, and lead to another site.

type Query = { return_to?: string; guest?: "leave"; confirm?: "1" };

export function ProviderLink({ className, label, ...query }: Query & { className: string; label: string }) {
  const parameters = new URLSearchParams(query).toString();
  return (
    <a className={className} href={parameters === "" ? OIDC_PATH : `${OIDC_PATH}?${parameters}`}>
      {label}
    </a>
  );
}

/** In the place of the password: the user has signed in at the provider once more, or is to. */
export function ProviderProof({ name, proven }: { name: string; proven: boolean }) {
  if (proven) return <input type="hidden" name="user[current_password]" value={PROVIDER_PROOF} />;
  return <ConfirmAtProvider name={name} returnTo="/profile/account" />;
}

export const firstSignIn = (name: string) => `First sign in with ${name} once more`;

export function ConfirmAtProvider({ name, returnTo }: { name: string; returnTo: string }) {
  return (
    <p>
      <ProviderLink className="btn" label={firstSignIn(name)} confirm="1" return_to={returnTo} />
    </p>
  );
}
