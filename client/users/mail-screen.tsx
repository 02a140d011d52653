import { Form, Link, useActionData, useLoaderData, useLocation } from "react-router";
import { useViewer } from "../context.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Cover } from "../ui/cover.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { Submit } from "../ui/submit.tsx";
import { useFirstError } from "../ui/use-first-error.ts";
import type { AskedForMail } from "./ask-for-mail.ts";
import type { OpenedLink } from "./open-mail-link.ts";

type Words = { title: string; text: string; button: string };

const forgotten: Words = {
  title: "Forgot your password?",
  text: "Tell us your email address. We send you a link, and you choose a new one.",
  button: "Send the link",
};
const words: Record<string, Words> = {
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

/** Where mails are asked for, and where the links in them lead; which of them, the path says. */
export function MailScreen() {
  const { message, refusal } = useLoaderData<OpenedLink>();
  const asked = useActionData<AskedForMail>();
  const { title, text, button } = words[useLocation().pathname] ?? forgotten;
  const done = asked !== undefined && "message" in asked ? asked.message : message;
  return (
    <Cover>
      <section className="dialog">
        <h1>{title}</h1>
        {done === null ? (
          <AskForm asked={asked} refusal={refusal} text={text} button={button} />
        ) : (
          <Note tone="ok">{done}</Note>
        )}
        <WayOn />
      </section>
    </Cover>
  );
}

type AskFormProps = Omit<Words, "title"> & { asked: AskedForMail | undefined; refusal: string | null };

function AskForm({ asked, refusal: ofLink, text, button }: AskFormProps) {
  const refused = asked !== undefined && "errors" in asked ? asked : undefined;
  const form = useFirstError<HTMLFormElement>(refused);
  const wrong = refused === undefined || refused.errors["email"] !== undefined ? ofLink : refused.refusal;
  return (
    <Form className="stack" method="post" ref={form}>
      {wrong === null ? <p className="ink2">{text}</p> : <Note tone="bad">{wrong}</Note>}
      <CsrfField />
      <Field
        label="Email"
        name="user[email]"
        type="email"
        autoComplete="username"
        value={refused?.email ?? ""}
        errors={refused?.errors["email"]}
      />
      <Submit className="btn primary lg wide">{button}</Submit>
    </Form>
  );
}

function WayOn() {
  const known = useViewer() !== null;
  return (
    <p className="small ink2">
      {known ? <Link to="/sessions">Go to the sessions</Link> : <Link to="/users/sign_in">Sign in</Link>}
    </p>
  );
}
