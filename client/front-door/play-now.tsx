import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { USERNAME_LENGTH_MAX } from "#src/people/users/contract.ts";
import { FaceFold } from "../sign-ins/face-picker.tsx";
import { CsrfField } from "../ui/csrf-field.tsx";
import { Field, type FieldErrors } from "../ui/field.tsx";
import { fill } from "../ui/fill.tsx";
import { Note } from "../ui/note.tsx";
import { Submit } from "../ui/submit.tsx";
import * as texts from "./front-door-texts.ts";

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
        label={texts.yourName}
        id="play-name"
        name="user[username]"
        autoComplete="nickname"
        maxLength={USERNAME_LENGTH_MAX}
        placeholder={texts.nameHint}
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
        {texts.noAccount} {fill(texts.acceptsTerms, { terms: <Link to="/terms">{texts.termsLink}</Link> })}
      </p>
    </Form>
  );
}
