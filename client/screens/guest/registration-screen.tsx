import { useState } from "react";
import {
  Form,
  Link,
  redirect,
  redirectDocument,
  useActionData,
  useLoaderData,
  useSearchParams,
} from "react-router";
import { randomId } from "#client/base/browser/random-id.ts";
import * as words from "#client/base/format/words.ts";
import { pageContext, useClosed, useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs, ActionArgs } from "#client/base/page/handle.ts";
import { fetchSuggestion } from "#client/sign-ins/as-guest.ts";
import { EmailField } from "#client/sign-ins/email-field.tsx";
import { RememberMe } from "#client/sign-ins/remember-me.tsx";
import { Checkbox } from "#client/ui/checkbox.tsx";
import { Cover } from "#client/ui/cover.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Icon } from "#client/ui/icon.tsx";
import { ariaOf, idOf, Labelled, type LabelProps } from "#client/ui/labelled.tsx";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { BalanceChip } from "#client/wallet/balance-chip.tsx";
import { safeReturnPath } from "#src/people/sign-ins/contract.ts";
import { USERNAME_LENGTH_MAX } from "#src/people/users/contract.ts";
import {
  BackToLive,
  GuestBalanceNote,
  chosenName,
  findWayBack,
  type RegistrationData,
} from "./guest-screen.tsx";

const fields = {
  email: "text",
  username: "text",
  password: "text",
  // An unticked checkbox is sent too, as an empty text, so that the API refuses it.
  terms: "text",
  rememberMe: "checkbox",
} as const;

const ID = "user-terms";
/** What the link of an invitation has. */
const INVITATION = "invitation";

/** The form of a new account, for guests and new visitors. Works without JavaScript too. */
export function RegistrationScreen() {
  const refusal = useActionData<RegistrationRefusal>();
  const form = useErrorFocus<HTMLFormElement>(refusal);
  const { name } = useLoaderData<RegistrationData>();
  const viewer = useViewer();
  const guest = viewer?.guest === true;
  const closed = useClosedForm();
  if (closed !== undefined) {
    return (
      <Cover corner={<BalanceChip />}>
        <section className="dialog">
          <h1>{guest ? words.finishYourAccount : "Create your account"}</h1>
          <Note>{closed}</Note>
          <OtherWay guest={guest} />
        </section>
      </Cover>
    );
  }
  return (
    <Cover corner={<BalanceChip />}>
      <Form className="dialog" method="post" ref={form}>
        <h1>{guest ? words.finishYourAccount : "Create your account"}</h1>
        {refusal === undefined ? <GuestBalanceNote /> : <Note tone="bad">{summaryOf(refusal)}</Note>}
        <CsrfField />
        {guest ? (
          <GuestFields refusal={refusal} name={chosenName(viewer) || name} />
        ) : (
          <Fields refusal={refusal} />
        )}
        <Submit className="btn primary lg wide">{words.createAccountTitle}</Submit>
        <OtherWay guest={guest} />
      </Form>
    </Cover>
  );
}

/** Why the visitor cannot create an account here: the site takes none, or none without the link of an invitation. */
function useClosedForm(): string | undefined {
  const [search] = useSearchParams();
  const [registration, uninvited] = [useClosed("registration"), useClosed("uninvited")];
  return registration ?? (search.has(INVITATION) ? undefined : uninvited);
}

function OtherWay({ guest }: { guest: boolean }) {
  if (guest) return <BackToLive />;
  return (
    <p className="small ink2">
      You have an account? <Link to="/users/sign_in">{words.signIn}</Link>
    </p>
  );
}

/** Errors of single fields are shown at the fields; other refusals above the form. */
function summaryOf({ refusal, errors }: RegistrationRefusal): string {
  return Object.keys(errors).length > 0 ? "Some fields need a change. They are marked below." : refusal;
}

type FieldsProps = { refusal: RegistrationRefusal | undefined };

function Fields({ refusal }: FieldsProps) {
  const errors = refusal?.errors ?? {};
  return (
    <>
      <EmailField autoComplete="email" refusal={refusal} />
      <UsernameField refusal={refusal} value="" />
      <PasswordField
        label={words.password}
        name="user[password]"
        hint="At least 8 characters."
        errors={errors["password"]}
      />
      <RememberMe checked={refusal?.rememberMe} />
      <AcceptTerms accepted={refusal?.terms ?? false} errors={errors["terms"]} />
    </>
  );
}

/** One field more than the name. A guest is remembered by this browser already, and can choose a password now or later. */
function GuestFields({ refusal, name }: FieldsProps & { name: string }) {
  const errors = refusal?.errors ?? {};
  return (
    <>
      <UsernameField refusal={refusal} value={name} />
      <EmailField autoComplete="email" refusal={refusal} />
      <details className="fold stack" open={errors["password"] !== undefined}>
        <summary className="small">Choose a password now</summary>
        <PasswordField
          label={words.password}
          name="user[password]"
          hint="At least 8 characters."
          errors={errors["password"]}
          optional
        />
      </details>
      <p className="small ink2">Without one, “Forgot your password?” lets you choose it later.</p>
      <input type="hidden" name="user[remember_me]" value="1" />
      <GuestTerms errors={errors["terms"]} />
    </>
  );
}

function UsernameField({ refusal, value }: FieldsProps & { value: string }) {
  return (
    <Field
      label={words.username}
      name="user[username]"
      autoComplete="username"
      maxLength={USERNAME_LENGTH_MAX}
      hint={words.usernameRules}
      value={refusal?.username ?? value}
      errors={refusal?.errors["username"]}
    />
  );
}

/** For guests, who may go back to the game, and signed-out visitors. Users with an account are redirected. */
export async function loadRegistration(args: LoaderArgs): Promise<RegistrationData> {
  const { api, url } = args;
  const { viewer, oidc } = args.context.get(pageContext);
  if (viewer?.guest === false) throw redirect("/sessions");
  if (oidc?.only === true) throw redirect(`/users/sign_in${url.search}`);
  if (viewer === null) return { active: null, name: "" };
  const [way, name] = await Promise.all([
    findWayBack(args),
    chosenName(viewer) || fetchSuggestion(api).then(({ username }) => username),
  ]);
  return { ...way, name };
}

/** The refusal, and what was filled in, except the password. */
type RegistrationRefusal = Refused & {
  email: string;
  username: string;
  terms: boolean;
  rememberMe: boolean;
};

/** Creates the account that the form describes: a guest becomes its player, with or without a password; a new visitor gets a new one. */
export async function register({ api, context, request, url }: ActionArgs) {
  const typed = readForm(await request.formData(), fields, inUser);
  const isLater = typed.password === "" && context.get(pageContext).viewer?.guest === true;
  // One that nobody knows, until the user chooses another by mail.
  const password = isLater ? randomId() + randomId() : typed.password;
  // The form shows the password on request, so it asks for it once.
  const invitation = url.searchParams.get(INVITATION);
  const user = {
    ...typed,
    password,
    passwordConfirmation: password,
    ...(invitation === null ? {} : { invitation }),
  };
  try {
    await api.post("/users/guest_registration", { user });
  } catch (error) {
    const { email, username, terms, rememberMe } = user;
    return refuseForm<RegistrationRefusal>(error, { email, username, rememberMe, terms: terms !== "" });
  }
  // A new document: the token, the viewer and all loaded data belong to another user now.
  return redirectDocument(safeReturnPath(url.searchParams.get("return_to")));
}

/** The checkbox by which a new player accepts the terms. Without it the account is refused. */
function AcceptTerms({ accepted, errors = [] }: { accepted: boolean; errors: string[] | undefined }) {
  return (
    <div className="field">
      <Checkbox id={ID} name="user[terms]" required defaultChecked={accepted} {...ariaOf(ID, { errors })}>
        <span>{fill("I accept the {terms}", { terms: <TermsLink /> })}</span>
      </Checkbox>
      <TermsError errors={errors} />
    </div>
  );
}

/** Who plays has accepted them by playing: the button says it again, and nothing is ticked twice. */
function GuestTerms({ errors = [] }: { errors: string[] | undefined }) {
  return (
    <div>
      <input type="hidden" name="user[terms]" value="1" />
      <p className="small ink2">
        <span>{fill("With the account you accept the {terms}, as before.", { terms: <TermsLink /> })}</span>
      </p>
      <TermsError errors={errors} />
    </div>
  );
}

function TermsLink() {
  return (
    <Link to="/terms" target="_blank">
      terms
      <span className="vh"> (opens in a new tab)</span>
    </Link>
  );
}

function TermsError({ errors }: { errors: string[] }) {
  if (errors.length === 0) return null;
  return (
    <span className="err" id={`${ID}-error`}>
      <Icon name="warning" size="s" />
      {`Terms ${errors.join(", ")}`}
    </span>
  );
}

type PasswordFieldProps = Pick<LabelProps, "label" | "hint" | "errors"> & {
  name: string;
  /** The field may stay empty. */
  optional?: true;
};

/** A new password, typed once. A button shows it, so that a wrong letter is seen; without JavaScript the field has no button. */
function PasswordField({ label, name, hint, errors, optional }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const id = idOf(name);
  return (
    <Labelled label={label} id={id} hint={hint} errors={errors}>
      <div className="password">
        <input
          className="input"
          id={id}
          name={name}
          type={isShown ? "text" : "password"}
          autoComplete="new-password"
          autoCapitalize="none"
          spellCheck={false}
          required={optional !== true}
          {...ariaOf(id, { hint, errors })}
        />
        <button
          className="btn bare sm"
          type="button"
          aria-controls={id}
          aria-label={isShown ? "Hide password" : "Show password"}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? "Hide" : words.show}
        </button>
      </div>
    </Labelled>
  );
}
