import type { ReactNode } from "react";
import { Form, useLocation } from "react-router";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { Submit } from "../ui/submit.tsx";
import { useFirstError } from "../ui/use-first-error.ts";
import type { AccountIntent, AccountRefusal } from "./change-account.ts";

type AccountFormProps = {
  intent: AccountIntent;
  /** What stands on the button. */
  label: string;
  refusal: AccountRefusal | undefined;
  /** What to say where it was just done. */
  done: string | null;
  children: ReactNode;
};

/** A form of the account. It asks for the password once more, since a browser may be left open. */
export function AccountForm({ intent, label, refusal, done, children }: AccountFormProps) {
  const form = useFirstError<HTMLFormElement>(refusal);
  const { key: visit } = useLocation();
  return (
    <Form
      className="body stack narrow"
      method="post"
      action="/profile/account"
      ref={form}
      // What was typed is gone once it is done.
      key={done === null ? "typing" : visit}
    >
      <CsrfField />
      {done === null ? null : <Note tone="ok">{done}</Note>}
      {refusal === undefined || Object.keys(refusal.errors).length > 0 ? null : (
        <Note tone="bad">{refusal.refusal}</Note>
      )}
      {children}
      <CurrentPassword intent={intent} refusal={refusal} />
      <Submit intent={intent}>{label}</Submit>
    </Form>
  );
}

/** The password that somebody has now. The page has several such fields: each has an id of its own. */
export function CurrentPassword({ intent, refusal }: Pick<AccountFormProps, "intent" | "refusal">) {
  return (
    <Field
      label="Current password"
      id={`${intent}-current-password`}
      name="user[current_password]"
      type="password"
      autoComplete="current-password"
      errors={refusal?.errors["currentPassword"]}
    />
  );
}
