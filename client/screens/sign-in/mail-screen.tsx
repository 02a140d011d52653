import {
  data,
  Form,
  Link,
  redirect,
  redirectDocument,
  useActionData,
  useLoaderData,
  useLocation,
} from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import * as words from "#client/base/format/words.ts";
import { pageContext, useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs, ActionArgs } from "#client/base/page/handle.ts";
import { EmailField } from "#client/sign-ins/email-field.tsx";
import { NewPasswordFields } from "#client/sign-ins/new-password-fields.tsx";
import { Cover } from "#client/ui/cover.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { SEE_OTHER } from "#client/ui/forms/answer-form.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import { type Refused, refusedBy } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";

type Texts = { title: string; text: string; button: string };
/** What one press does that a mail's link leads to. */
type LinkTexts = { press: string; pressHint: string };

const passwordTexts: Texts = {
  title: words.forgotYourPassword,
  text: "Tell us your email address. We send you a link, and you choose a new one.",
  button: "Send the link",
};

/** The pages that have such a form. The API has the same paths. */
const paths = ["/users/password", "/users/confirmation", "/users/unlock"] as const;

const textsByPath: Record<string, Texts & LinkTexts> = {
  "/users/confirmation": {
    title: words.confirmYourEmail,
    text: "The mail did not come? Tell us your email address, and we send it again.",
    button: "Send it again",
    press: "Confirm my email",
    pressHint: "One press, and this address is yours here.",
  },
  "/users/unlock": {
    title: words.unlockYourAccount,
    text: "After 20 wrong passwords an account is locked for an hour. We can send you a link that unlocks it now.",
    button: "Send the link",
    press: "Unlock my account",
    pressHint: "One press, and you can sign in again.",
  },
};

/** Requests a mail, and is the page that the link in the mail opens. The path decides which mail. */
export function MailScreen() {
  const { message, refusal, secret } = useLoaderData<MailLinkResult>();
  const answer = useActionData<MailAnswer>();
  const ofLink = textsByPath[useLocation().pathname];
  const { title, text, button } = ofLink ?? passwordTexts;
  const isUnused = secret !== null && answer === undefined && ofLink !== undefined;
  const content = isUnused ? (
    <LinkForm secret={secret} {...ofLink} />
  ) : (
    <MailForm answer={answer} refusal={refusal} text={text} button={button} />
  );
  const done = answer !== undefined && "message" in answer ? answer.message : message;
  return (
    <Cover>
      <section className="dialog">
        <h1>{title}</h1>
        {done === null ? content : <Note tone="ok">{done}</Note>}
        <NextLink />
      </section>
    </Cover>
  );
}

/** A mail scanner that opens the link presses nothing. */
function LinkForm({ secret, press, pressHint }: LinkTexts & { secret: string }) {
  return (
    <Form className="stack" method="post">
      <p className="ink2">{pressHint}</p>
      <CsrfField />
      <input type="hidden" name="user[secret]" value={secret} />
      <Submit className="btn primary lg wide">{press}</Submit>
    </Form>
  );
}

type MailFormProps = Omit<Texts, "title"> & { answer: MailAnswer | undefined; refusal: string | null };

function MailForm({ answer, refusal: linkRefusal, text, button }: MailFormProps) {
  const refused = answer !== undefined && "errors" in answer ? answer : undefined;
  const form = useErrorFocus<HTMLFormElement>(refused);
  const problem =
    refused === undefined || refused.errors["email"] !== undefined ? linkRefusal : refused.refusal;
  return (
    <Form className="stack" method="post" ref={form}>
      {problem === null ? <p className="ink2">{text}</p> : <Note tone="bad">{problem}</Note>}
      <CsrfField />
      <EmailField autoComplete="username" refusal={refused} />
      <Submit className="btn primary lg wide">{button}</Submit>
    </Form>
  );
}

function NextLink() {
  const signedIn = useViewer() !== null;
  return (
    <p className="small ink2">
      {signedIn ? (
        <Link to="/sessions">{words.goToTheSessions}</Link>
      ) : (
        <Link to="/users/sign_in">{words.signIn}</Link>
      )}
    </p>
  );
}

type MailRefusal = Refused & { email: string };
/** The answer to a request for a mail: the same sentence for every address, or a refusal. */
type MailAnswer = { message: string } | MailRefusal;

/**
 * Requests the mail of the form's page: for a new password, a confirmation or an unlock. The button behind a mail's link sends the
 * link's secret instead: it confirms or unlocks.
 */
export async function askForMail({ api, request, url }: ActionArgs) {
  const { email, secret } = readForm(await request.formData(), { email: "text", secret: "text" }, inUser);
  const { pathname } = url;
  try {
    if (secret !== "" && isKnown(pathname))
      return await api.put(pathname, { user: { [secrets[pathname]]: secret } });
    const path = paths.find((known) => known === pathname);
    if (path === undefined) throw data(null, { status: 404 });
    return await api.post(path, { user: { email } });
  } catch (error) {
    return refuseForm<MailRefusal>(error, { email });
  }
}

/**
 * What the link has done, or why it was refused, or the secret by which one press does it. All are null where the page was opened
 * without a link.
 */
type MailLinkResult = { message: string | null; refusal: string | null; secret: string | null };
const NO_LINK: MailLinkResult = { message: null, refusal: null, secret: null };

/** The paths that links in mails open, and the query parameter that holds the link's secret. */
const secrets = {
  "/users/confirmation": "confirmation_token",
  "/users/unlock": "unlock_token",
} as const;

/** Looks at a link in a mail that confirms an address or unlocks an account. */
export async function openMailLink({ api, context, url }: LoaderArgs) {
  const { pathname, searchParams } = url;
  // Where everybody signs in at the provider there is no password to choose.
  if (pathname === "/users/password" && context.get(pageContext).oidc?.only === true)
    throw redirect("/users/sign_in");
  const secret = isKnown(pathname) ? searchParams.get(secrets[pathname]) : null;
  if (!isKnown(pathname) || secret === null) return data(NO_LINK);
  try {
    const query = { [secrets[pathname]]: secret };
    const { message } = await api.get(pathname, { query });
    return data<MailLinkResult>({ ...NO_LINK, message, secret: message === null ? secret : null });
  } catch (error) {
    const { refusal, status } = refusedBy(error);
    return data<MailLinkResult>({ ...NO_LINK, refusal }, { status });
  }
}

function isKnown(pathname: string): pathname is keyof typeof secrets {
  return Object.hasOwn(secrets, pathname);
}

export function NewPasswordScreen() {
  const { refusal: linkRefusal } = useLoaderData<NewPasswordData>();
  const refused = useActionData<Refused>();
  const form = useErrorFocus<HTMLFormElement>(refused);
  if (linkRefusal !== null) return <InvalidLink why={linkRefusal} />;
  const atField = refused?.errors["password"] ?? refused?.errors["passwordConfirmation"];
  return (
    <Cover>
      <Form className="dialog" method="post" ref={form}>
        <h1>Choose a new password</h1>
        {refused === undefined || atField !== undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
        <CsrfField />
        <NewPasswordFields errors={refused?.errors ?? {}} />
        <Submit className="btn primary lg wide">Change my password</Submit>
        <p className="small ink2">Everybody who is signed in to your account is signed out then.</p>
      </Form>
    </Cover>
  );
}

function InvalidLink({ why }: { why: string }) {
  return (
    <Cover>
      <section className="dialog">
        <h1>Choose a new password</h1>
        <Note tone="bad">{why}</Note>
        <Link className="btn primary lg wide" to="/users/password">
          Ask for a new link
        </Link>
        <p className="small ink2">
          <Link to="/users/sign_in">{words.signIn}</Link>
        </p>
      </section>
    </Cover>
  );
}

/** Sets the password that the form holds on the account of the mail's link, which signs a signed-out browser in. */
export async function choosePassword({ api, request, url }: ActionArgs) {
  const passwords = readForm(
    await request.formData(),
    { password: "text", passwordConfirmation: "text" },
    inUser,
  );
  const resetPasswordToken = url.searchParams.get("reset_password_token") ?? "";
  let next = "/users/sign_in?now=password_changed";
  try {
    const { user } = await api.put("/users/password", { user: { resetPasswordToken, ...passwords } });
    // An admin begins with the shows; a player may be led to the live one from there, and would not read that it is done.
    if (user !== null)
      next = user.roles.includes("admin")
        ? "/sessions?now=password_changed"
        : "/profile/account?done=password";
  } catch (error) {
    return refuseForm(error, {});
  }
  // A new document: a sign-in that this browser had is over.
  return redirectDocument(next, SEE_OTHER);
}

type NewPasswordData = { refusal: string | null };

/** Checks whether the link of the mail is still valid. Checking does not use it up, because mail scanners open links too. */
export async function loadNewPassword({ api, url }: LoaderArgs) {
  const secret = url.searchParams.get("reset_password_token");
  try {
    await api.get("/users/password/edit", { query: { resetPasswordToken: secret } });
    return data<NewPasswordData>({ refusal: null });
  } catch (error) {
    // The API has its own sentence for an address without a link.
    if (error instanceof ApiError && error.body?.code === "reset_token_missing")
      return data<NewPasswordData>({ refusal: error.message }, { status: error.status });
    const { refusal, status } = refusedBy(error);
    return data<NewPasswordData>({ refusal }, { status });
  }
}
