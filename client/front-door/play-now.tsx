import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { USERNAME_LENGTH_MAX } from "#src/people/users/contract.ts";
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

type PlayNowProps = {
  /** The path of the session to play in. */
  to: string;
  label: string;
  refusal: PlayRefusal | undefined;
  /** More to choose, above the button. */
  children?: ReactNode;
};

/** Starts play without an account by one tap, with a name if one is typed. Works without JavaScript too. */
export function PlayNow({ to, label, refusal, children }: PlayNowProps) {
  const errors = refusal?.errors["username"];
  return (
    <Form className="play-now" method="post">
      {refusal === undefined || errors !== undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
      <CsrfField />
      <input type="hidden" name="to" value={to} />
      <Field
        label="Your name"
        id="play-name"
        name="user[username]"
        autoComplete="nickname"
        maxLength={USERNAME_LENGTH_MAX}
        placeholder="You can leave it empty."
        value={refusal?.username ?? ""}
        errors={errors}
        optional
      />
      <FaceFold chosen={refusal?.face} />
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
