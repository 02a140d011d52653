import type { ReactNode } from "react";
import { Form, useLocation, useRouteLoaderData } from "react-router";
import type { AccountAnswer } from "#src/people/users/schemas.ts";
import * as words from "../base/format/words.ts";
import { usePage } from "../base/page/context.ts";
import { CsrfField } from "../ui/csrf-field.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { Submit } from "../ui/submit.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import type { AccountIntent, AccountRefusal } from "./change-account.ts";
import { firstSignIn, ProviderProof } from "./provider-link.tsx";

type AccountFormProps = {
  intent: AccountIntent;
  label: string;
  refusal: AccountRefusal | undefined;
  /** The message after the change was made. */
  done: string | null;
  children: ReactNode;
};

/** A form of the account page. It asks for the password again, since a browser may be left open. */
export function AccountForm({ intent, label, refusal, done, children }: AccountFormProps) {
  const form = useErrorFocus<HTMLFormElement>(refusal);
  const { key: locationKey } = useLocation();
  return (
    <Form
      className="body stack narrow"
      method="post"
      action="/profile/account"
      ref={form}
      // The fields are emptied once the change is made.
      key={done === null ? "typing" : locationKey}
    >
      <CsrfField />
      {done === null ? null : <Note tone="ok">{done}</Note>}
      {refusal === undefined || Object.keys(refusal.errors).length > 0 ? null : (
        <Note tone="bad">{refusal.refusal}</Note>
      )}
      {children}
      <CurrentPassword intent={intent} refusal={refusal} />
      <Submit intent={intent} disabledReason={useProofReason()}>
        {label}
      </Submit>
    </Form>
  );
}

type CurrentPasswordProps = { intent: AccountIntent | "passkey"; refusal: AccountRefusal | undefined };

/** The provider, where the user proves there who they are, and has done so or not; null: a password proves it. */
function useProof(): { name: string; proven: boolean } | null {
  const provider = useRouteLoaderData<AccountAnswer>("/profile/account")?.account.provider;
  const { oidc } = usePage();
  if (provider === undefined || oidc === undefined || !(oidc.only || !provider.hasPassword)) return null;
  return { name: oidc.name, proven: provider.proven };
}

/** Why a change of the account cannot be sent yet; null: it can. */
export function useProofReason(): string | null {
  const proof = useProof();
  return proof === null || proof.proven ? null : firstSignIn(proof.name);
}

/** The password that the user has now. The page has several such fields, so each has its own id. */
export function CurrentPassword({ intent, refusal }: CurrentPasswordProps) {
  const proof = useProof();
  if (proof !== null) return <ProviderProof {...proof} />;
  return (
    <Field
      label={words.currentPassword}
      id={`${intent}-current-password`}
      name="user[current_password]"
      type="password"
      autoComplete="current-password"
      errors={refusal?.errors["currentPassword"]}
    />
  );
}
