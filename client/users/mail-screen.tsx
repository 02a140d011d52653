import { Form, Link, useActionData, useLoaderData, useLocation } from "react-router";
import { useViewer } from "../context.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Cover } from "../ui/cover.tsx";
import { Note } from "../ui/note.tsx";
import { Submit } from "../ui/submit.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import type { MailAnswer } from "./ask-for-mail.ts";
import { EmailField } from "./email-field.tsx";
import type { MailLinkResult } from "./open-mail-link.ts";

type Texts = { title: string; text: string; button: string };

const passwordTexts: Texts = {
  title: "Forgot your password?",
  text: "Tell us your email address. We send you a link, and you choose a new one.",
  button: "Send the link",
};
const texts: Record<string, Texts> = {
  "/users/confirmation": {
    title: "Confirm your email",
    text: "The mail did not come? Tell us your email address, and we send it again.",
    button: "Send it again",
  },
  "/users/unlock": {
    title: "Unlock your account",
    text: "After 20 wrong passwords an account is locked for an hour. We can send you a link that unlocks it now.",
    button: "Send the link",
  },
};

/** Requests a mail, and is the page that the link in the mail opens. The path decides which mail. */
export function MailScreen() {
  const { message, refusal } = useLoaderData<MailLinkResult>();
  const answer = useActionData<MailAnswer>();
  const { title, text, button } = texts[useLocation().pathname] ?? passwordTexts;
  const done = answer !== undefined && "message" in answer ? answer.message : message;
  return (
    <Cover>
      <section className="dialog">
        <h1>{title}</h1>
        {done === null ? (
          <MailForm answer={answer} refusal={refusal} text={text} button={button} />
        ) : (
          <Note tone="ok">{done}</Note>
        )}
        <NextLink />
      </section>
    </Cover>
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
      {signedIn ? <Link to="/sessions">Go to the sessions</Link> : <Link to="/users/sign_in">Sign in</Link>}
    </p>
  );
}
