import { Link } from "react-router";
import { usePage } from "#client/base/page/context.ts";
import { ProviderLink } from "#client/sign-ins/provider-link.tsx";
import { fill } from "#client/ui/fill.tsx";

/** The button of the sign-in page. Nothing without a provider. */
export function ProviderSignIn({ returnTo }: { returnTo: string | null }) {
  const { oidc } = usePage();
  if (oidc === undefined) return null;
  return (
    <div className="stack">
      <ProviderLink
        className={oidc.only ? "btn primary lg wide" : "btn lg wide"}
        label={`Sign in with ${oidc.name}`}
        {...(returnTo === null ? {} : { return_to: returnTo })}
      />
      {oidc.away ? <p className="small ink2">{`${oidc.name} did not answer a moment ago.`}</p> : null}
      <span className="small ink2">
        {fill("With a new account you accept the {terms}.", { terms: <Link to="/terms">terms</Link> })}
      </span>
    </div>
  );
}
