import {
  type ActionFunctionArgs,
  data,
  Form,
  Link,
  useActionData,
  useLoaderData,
  useLocation,
} from "react-router";
import * as words from "#client/base/format/words.ts";
import { apiContext, useViewer } from "#client/base/page/context.ts";
import { EmailField } from "#client/sign-ins/email-field.tsx";
import { Cover } from "#client/ui/cover.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { isKnown, type MailLinkResult, secrets } from "./open-mail-link.ts";

type Texts = { title: string; text: string; button: string };
/** What one press does that a mail's link leads to. */
type LinkTexts = { press: string; pressHint: string };

const passwordTexts: Texts = {
  title: words.forgotYourPassword,
  text: "Tell us your email address. We send you a link, and you choose a new one.",
  button: words.sendTheLink,
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
    button: words.sendTheLink,
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
export async function askForMail({ context, request }: ActionFunctionArgs) {
  const { email, secret } = readForm(await request.formData(), { email: "text", secret: "text" }, inUser);
  const { pathname } = new URL(request.url);
  try {
    if (secret !== "" && isKnown(pathname))
      return await context.get(apiContext).put(pathname, { user: { [secrets[pathname]]: secret } });
    const path = paths.find((known) => known === pathname);
    if (path === undefined) throw data(null, { status: 404 });
    return await context.get(apiContext).post(path, { user: { email } });
  } catch (error) {
    return refuseForm<MailRefusal>(error, { email });
  }
}
