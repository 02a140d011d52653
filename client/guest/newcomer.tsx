import { Link, useSearchParams } from "react-router";
import { useViewer } from "../context.ts";
import { Note } from "../ui/note.tsx";
import { PlayAsGuest } from "./play-as-guest-form.tsx";

/** Below the sign-in form: how to play without an account, or create one. For a guest: what signing in leaves behind. */
export function Newcomer() {
  const [search] = useSearchParams();
  const returnTo = search.get("return_to");
  const query = returnTo === null ? "" : `?${new URLSearchParams({ return_to: returnTo }).toString()}`;
  if (useViewer() !== null) {
    return <Note>You play as a guest. To keep your balance and your calls, create an account instead.</Note>;
  }
  return (
    <>
      <PlayAsGuest returnTo={returnTo ?? "/sessions"} className="btn ghost wide" />
      <p className="small ink2">
        New here? <Link to={`/users/guest_registration${query}`}>Create an account</Link>. By playing you
        accept the <Link to="/terms">terms</Link>.
      </p>
    </>
  );
}
