import { Link, useSearchParams } from "react-router";
import { useViewer } from "../base/page/context.ts";
import { fill } from "../ui/fill.tsx";
import { Note } from "../ui/note.tsx";
import * as texts from "./guest-texts.ts";
import { PlayAsGuest } from "./play-as-guest-form.tsx";

/** Below the sign-in form: how to play without an account, or create one. For a guest: what signing in leaves behind. */
export function Newcomer() {
  const [search] = useSearchParams();
  const returnTo = search.get("return_to");
  const query = returnTo === null ? "" : `?${new URLSearchParams({ return_to: returnTo }).toString()}`;
  if (useViewer() !== null) {
    return <Note>{texts.guestHint}</Note>;
  }
  return (
    <>
      <PlayAsGuest returnTo={returnTo ?? "/sessions"} className="btn ghost wide" />
      <p className="small ink2">
        {fill(texts.newcomerHint, {
          create: <Link to={`/users/guest_registration${query}`}>{texts.createAccountLink}</Link>,
          terms: <Link to="/terms">{texts.termsLink}</Link>,
        })}
      </p>
    </>
  );
}
