import { type ReactNode, useState } from "react";
import { Form, Link, useLocation } from "react-router";
import { facePath } from "#src/people/avatars/contract.ts";
import { USERNAME_LENGTH_MAX } from "#src/people/users/contract.ts";
import type { GuestSuggestion } from "#src/people/users/schemas.ts";
import { useClosed } from "../base/page/context.ts";
import { FaceFold } from "../sign-ins/face-picker.tsx";
import { CsrfField } from "../ui/csrf-field.tsx";
import { Field, type FieldErrors } from "../ui/field.tsx";
import { fill } from "../ui/fill.tsx";
import { Note } from "../ui/note.tsx";
import { Submit } from "../ui/submit.tsx";

/** Why "Play now" was refused, and what was chosen. */
export type PlayRefusal = {
  intent: typeof PLAY;
  refusal: string;
  errors: FieldErrors;
  username: string;
  face: number | undefined;
};

/** The form's intent, which tells it from the sign-in on the same page. */
export const PLAY = "play";

/** What the form of a new guest sends, by the names of its fields in `user`. */
export const guestFields = { username: "optional", face: "number", suggested: "optional" } as const;

type PlayNowProps = {
  to: string;
  label: string;
  refusal: PlayRefusal | undefined;
  /** What is chosen already. */
  suggestion: GuestSuggestion;
  /** The name is given, so none is asked for. */
  givenName?: boolean | undefined;
  children?: ReactNode;
};

/** Starts play without an account by one tap, under a name and with a face that are chosen already. Works without JavaScript too. */
export function PlayNow({ to, label, refusal, suggestion, givenName = false, children }: PlayNowProps) {
  const errors = refusal?.errors["username"];
  const { key } = useLocation();
  const closed = useClosed("guests");
  if (closed !== undefined) return <Note>{closed}</Note>;
  return (
    <Form className="play-now" method="post">
      {refusal === undefined || errors !== undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
      <CsrfField />
      <input type="hidden" name="to" value={to} />
      {/* What is loaded again by itself changes nothing here: somebody may be typing. */}
      <Chosen key={key} suggestion={suggestion} refusal={refusal} givenName={givenName} />
      {children}
      <Submit className="btn you lg wide" intent={PLAY}>
        {label}
      </Submit>
      <p className="small ink2">
        No account. {fill("By playing you accept the {terms}.", { terms: <Link to="/terms">terms</Link> })}
      </p>
    </Form>
  );
}

/** The name and the face, which can be changed, and a link that has others chosen by the server. */
function Chosen({
  suggestion,
  refusal,
  givenName,
}: Pick<PlayNowProps, "suggestion" | "refusal"> & { givenName: boolean }) {
  const { pathname, search } = useLocation();
  const [suggested] = useState(suggestion);
  const [face, setFace] = useState(refusal?.face ?? suggested.face);
  if (givenName)
    return (
      <>
        <p className="small ink2">You get a name here.</p>
        <FaceFold chosen={face} onChoose={setFace} />
      </>
    );
  return (
    <>
      <input type="hidden" name="user[suggested]" value={suggested.username} />
      <div className="chosen">
        <img src={facePath(face)} alt="" width={48} height={48} />
        <Field
          label="Your name"
          id="play-name"
          name="user[username]"
          autoComplete="nickname"
          maxLength={USERNAME_LENGTH_MAX}
          placeholder="You can leave it empty."
          value={refusal?.username ?? suggested.username}
          errors={refusal?.errors["username"]}
          optional
        />
        <Link className="btn" to={pathname + search} replace preventScrollReset>
          Another<span className="vh"> name and face</span>
        </Link>
      </div>
      <FaceFold chosen={face} onChoose={setFace} />
    </>
  );
}
