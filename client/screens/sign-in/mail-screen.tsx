import { Form, Link, useActionData, useLoaderData, useLocation } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { EmailField } from "#client/sign-ins/email-field.tsx";
import * as texts from "#client/sign-ins/sign-in-texts.ts";
import { Cover } from "#client/ui/cover.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import type { MailAnswer } from "./ask-for-mail.ts";
import type { MailLinkResult } from "./open-mail-link.ts";

type Texts = { title: string; text: string; button: string };
/** What one press does that a mail's link leads to. */
type LinkTexts = { press: string; pressHint: string };

const passwordTexts: Texts = {
  title: texts.forgotYourPassword,
  text: texts.forgotPasswordHint,
  button: texts.sendTheLink,
};
const textsByPath: Record<string, Texts & LinkTexts> = {
  "/users/confirmation": {
    title: texts.confirmYourEmail,
    text: texts.confirmEmailHint,
    button: texts.sendItAgain,
    press: texts.confirmMyEmail,
    pressHint: texts.confirmPressHint,
  },
  "/users/unlock": {
    title: texts.unlockYourAccount,
    text: texts.unlockHint,
    button: texts.sendTheLink,
    press: texts.unlockMyAccount,
    pressHint: texts.unlockPressHint,
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
        <Link to="/sessions">{texts.goToTheSessions}</Link>
      ) : (
        <Link to="/users/sign_in">{texts.signIn}</Link>
      )}
    </p>
  );
}
