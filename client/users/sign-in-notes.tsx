import { Link, useLoaderData, useSearchParams } from "react-router";
import { Note } from "../ui/note.tsx";
import type { SignInData } from "./load-sign-in.ts";
import type { SignInRefusal } from "./sign-in.ts";

/** What was done just before the sign-in page was opened, by the word in its query. */
const doneBefore: Record<string, string> = {
  password_changed: "Your password is changed. Sign in with the new one.",
  account_closed: "Your account is closed, and you are signed out.",
};

/** Ways on from a refusal, by its code. */
const waysOn: Record<string, { to: string; label: string }> = {
  locked: { to: "/users/unlock", label: "Send me the mail again" },
  unconfirmed: { to: "/users/confirmation", label: "Send me the mail again" },
};

/** Above the sign-in's form: what is wrong, or why one is here, or what was done before. */
export function SignInNotes({ refusal }: { refusal: SignInRefusal | undefined }) {
  const { reason } = useLoaderData<SignInData>();
  const [search] = useSearchParams();
  const done = doneBefore[search.get("now") ?? ""];
  if (refusal !== undefined) return <Refusal {...refusal} />;
  if (done !== undefined) return <Note tone="ok">{done}</Note>;
  return reason === null ? null : <Note tone="warn">{reason}</Note>;
}

function Refusal({ error, detail, code }: SignInRefusal) {
  const way = waysOn[code];
  return (
    <Note tone="bad">
      {error} {detail} {way === undefined ? null : <Link to={way.to}>{way.label}</Link>}
    </Note>
  );
}
