import { Link, useSearchParams } from "react-router";
import { useViewer } from "../base/page/context.ts";
import { fill } from "../ui/fill.tsx";
import { Note } from "../ui/note.tsx";
import * as texts from "./guest-texts.ts";

/** Below the sign-in form: how to create an account. For a guest: what signing in leaves behind. */
export function Newcomer() {
  const [search] = useSearchParams();
  const returnTo = search.get("return_to");
  const query = returnTo === null ? "" : `?${new URLSearchParams({ return_to: returnTo }).toString()}`;
  if (useViewer() !== null) {
    return <Note>{texts.guestHint}</Note>;
  }
  return (
    <p className="small ink2">
      {fill(texts.newcomerHint, {
        create: <Link to={`/users/guest_registration${query}`}>{texts.createAccountLink}</Link>,
      })}
    </p>
  );
}
