import { type ReactNode, useState } from "react";
import {
  data,
  Form,
  Link,
  redirect,
  redirectDocument,
  useActionData,
  useLoaderData,
  useNavigation,
  useSearchParams,
} from "react-router";
import { type Api, ApiError } from "#client/base/api/api.ts";
import type { Unreachable } from "#client/base/api/request-with-retry.ts";
import * as words from "#client/base/format/words.ts";
import { pageContext, usePage, useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs, ActionArgs } from "#client/base/page/handle.ts";
import { FrontDoor } from "#client/front-door/front-door.tsx";
import { guestFields, PLAY, type PlayRefusal } from "#client/front-door/play-now.tsx";
import { CodeForm } from "#client/join-codes/code-form.tsx";
import { usePasskeyParts } from "#client/passkeys/use-passkey-parts.ts";
import { fetchSuggestion } from "#client/sign-ins/as-guest.ts";
import { becomeGuest } from "#client/sign-ins/become-guest.ts";
import { EmailField } from "#client/sign-ins/email-field.tsx";
import { ProviderLink } from "#client/sign-ins/provider-link.tsx";
import { ProviderNote } from "#client/sign-ins/provider-note.tsx";
import { RememberMe } from "#client/sign-ins/remember-me.tsx";
import { Checkbox } from "#client/ui/checkbox.tsx";
import { Cover } from "#client/ui/cover.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field, type FieldErrors } from "#client/ui/field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm, troubleText } from "#client/ui/forms/refused-in-form.ts";
import { isTrouble } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { say } from "#src/http/contract.ts";
import { safeReturnPath } from "#src/people/sign-ins/contract.ts";
import type { GuestSuggestion } from "#src/people/users/schemas.ts";
import type { FrontDoor as FrontDoorView } from "#src/show/front-door/schemas.ts";

/**
 * The front door: the game as it is now, how to play at once, and below it email and password. Who was sent here from another page,
 * or asked for one, finds email and password first. The forms work without JavaScript too.
 */
export function SignInScreen() {
  const { door, suggestion } = useLoaderData<SignInData>();
  const answer = useActionData<SignInRefusal | PlayRefusal>();
  const [search] = useSearchParams();
  const refused = answer !== undefined && "intent" in answer ? answer : undefined;
  const refusal = answer !== undefined && "code" in answer ? answer : undefined;
  // Where the page itself came with the answer to the sign-in, that is at its top. A page that is open stays as it is.
  const [isAnswer] = useState(refusal !== undefined || ["now", "oidc"].some((name) => search.has(name)));
  const demo = <DemoSignIns />;
  if (door === null || suggestion === null) {
    return (
      <Cover>
        <SignInCard refusal={refusal} title={<h1>{words.slogan}</h1>} />
        {demo}
      </Cover>
    );
  }
  const returnTo = search.get("return_to");
  const game = (
    <FrontDoor loaded={door} returnTo={returnTo} refusal={refused} suggestion={suggestion}>
      <CodeForm label={words.haveACode} />
    </FrontDoor>
  );
  if (returnTo !== null) {
    return (
      <Cover wide>
        <div className="stack door-sign-in">
          <SignInCard refusal={refusal} title={<h1>{words.signIn}</h1>} />
          {demo}
        </div>
        {game}
      </Cover>
    );
  }
  return (
    <Cover
      wide
      corner={
        <a className="btn ghost" href={`#${SIGN_IN}`}>
          {words.signIn}
        </a>
      }
    >
      {game}
      <div className={isAnswer ? "stack door-sign-in first" : "stack door-sign-in"}>
        <SignInCard refusal={refusal} title={<h2>{words.signIn}</h2>} />
        {demo}
      </div>
    </Cover>
  );
}

const SIGN_IN = "sign-in";

type CardProps = { refusal: SignInRefusal | undefined; title: ReactNode };

/** The ways in: with the provider alone, with the password, a passkey or the provider, or with the first two. */
function SignInCard({ refusal, title }: CardProps) {
  const { oidc } = usePage();
  const returnTo = useSearchParams()[0].get("return_to");
  if (oidc?.only === true)
    return (
      <section className="dialog stack" id={SIGN_IN}>
        {title}
        <SignInNotes refusal={refusal} />
        <ProviderSignIn returnTo={returnTo} />
        <GuestNote />
      </section>
    );
  return <OwnSignIn refusal={refusal} title={title} provider={<ProviderSignIn returnTo={returnTo} />} />;
}

function OwnSignIn({ refusal, title, provider }: CardProps & { provider: ReactNode }) {
  const busy = useNavigation().state === "submitting";
  const parts = usePasskeyParts();
  return (
    <section className="dialog" id={SIGN_IN}>
      <Form method="post">
        {title}
        <SignInNotes refusal={refusal} />
        <CsrfField />
        <EmailField autoComplete="username webauthn" refusal={refusal} />
        <Field
          label={words.password}
          name="user[password]"
          type="password"
          autoComplete="current-password"
          errors={refusal?.errors["password"]}
        />
        <RememberMe />
        <MergeGuest />
        <button className="btn primary lg wide" type="submit" aria-disabled={busy}>
          {words.signIn}
        </button>
      </Form>
      <div className="late-button">{parts === null ? null : <parts.PasskeySignIn />}</div>
      {provider}
      <p className="small ink2">
        <Link to="/users/password">{words.forgotYourPassword}</Link>
      </p>
      <Newcomer />
    </section>
  );
}

/** For a guest: whether what was played so goes into the account. Without it the guest is signed out, and cannot come back. */
function MergeGuest() {
  const viewer = useViewer();
  if (viewer?.guest !== true) return null;
  return (
    <Checkbox name="user[merge_guest]">
      <span>
        {say`Make ${viewer.username} a part of my account.`}{" "}
        <span className="small ink2">
          Its calls, results and what it has won are yours then. Otherwise it stays behind, and you cannot
          come back to it.
        </span>
      </span>
    </Checkbox>
  );
}

/** The users of the seeded demo. All have the same password. */
const DEMO_PASSWORD = "called-it-demo";
const demoPlayers = [
  { name: "Ana", email: "ana@example.test", role: "plays" },
  { name: "Ben", email: "ben@example.test", role: "plays" },
  { name: "Cleo", email: "cleo@example.test", role: "plays" },
  { name: words.admin, email: "admin@example.test", role: "runs the show" },
] as const;

function DemoSignIns() {
  const { demo, oidc } = usePage();
  if (!demo || oidc?.only === true) return null;
  return (
    <section className="demo" aria-label="Demo sign-ins">
      <p className="small">
        {fill("This is a demo with play money. Come in as one of its people, password {password}.", {
          password: <code>{DEMO_PASSWORD}</code>,
        })}
      </p>
      <Form className="row wrap" method="post">
        <CsrfField />
        <input type="hidden" name="user[password]" value={DEMO_PASSWORD} />
        {demoPlayers.map(({ name, email, role }) => (
          <button className="btn sm" key={email} type="submit" name="user[email]" value={email} title={role}>
            {name}
          </button>
        ))}
      </Form>
    </section>
  );
}

/** Not the visitor's own doing: see client/base/live/sign-in-visit.ts. */
const SIGNED_OUT = "signed_out";
/** What was before the redirect to this page, by the query parameter `now`. */
const doneTexts: Record<string, string> = {
  password_changed: "Your password is changed. Sign in with the new one.",
  account_closed: "Your account is closed, and you are signed out.",
  account_deleted: "Your account is deleted. Its name, address and messages are gone.",
  [SIGNED_OUT]:
    "You are signed out: in another tab or on another device, or because your password or your roles have changed.",
};

/** Links after a refusal, by its code. */
const nextLinks: Record<string, { to: string; label: string }> = {
  locked: { to: "/users/unlock", label: "Send me the mail again" },
  unconfirmed: { to: "/users/confirmation", label: "Send me the mail again" },
};

/** Above the form: the refusal, the action before, or why the visitor was sent here. */
function SignInNotes({ refusal }: { refusal: SignInRefusal | undefined }) {
  const { reason } = useLoaderData<SignInData>();
  const [search] = useSearchParams();
  const now = search.get("now") ?? "";
  const done = doneTexts[now];
  if (refusal !== undefined) return <Refusal {...refusal} />;
  const atProvider = search.get("oidc");
  if (atProvider !== null) return <ProviderNote code={atProvider} returnTo={search.get("return_to")} />;
  if (done !== undefined) return <Note tone={now === SIGNED_OUT ? "warn" : "ok"}>{done}</Note>;
  return reason === null ? null : <Note tone="warn">{reason}</Note>;
}

function Refusal({ error, detail, code }: SignInRefusal) {
  const link = nextLinks[code];
  return (
    <Note tone="bad">
      {error} {detail} {link === undefined ? null : <Link to={link.to}>{link.label}</Link>}
    </Note>
  );
}

/** Takes the two forms of the front door: to play without an account, and to sign in. */
export async function enter(args: ActionArgs) {
  const form = await args.request.formData();
  return form.get("intent") === PLAY ? playNow(args, form) : signIn(args, form);
}

/** Signs the visitor in as a guest, with the chosen name. A refusal is shown in the form. */
async function playNow({ api }: ActionArgs, form: FormData) {
  const user = readForm(form, guestFields, inUser);
  const { to } = readForm(form, { to: "text" });
  try {
    return await becomeGuest(api, {
      returnPath: safeReturnPath(to),
      user,
    });
  } catch (error) {
    const { username = "", face } = user;
    return refuseForm<PlayRefusal>(error, { intent: PLAY, username, face });
  }
}

/** Below the sign-in form: how to create an account. For a guest: what signing in leaves behind. */
function Newcomer() {
  const [search] = useSearchParams();
  const returnTo = search.get("return_to");
  const query = returnTo === null ? "" : `?${new URLSearchParams({ return_to: returnTo }).toString()}`;
  const { viewer, closed } = usePage();
  if (viewer !== null) return <GuestNote />;
  if (closed?.registration !== undefined) return <p className="small ink2">{closed.registration}</p>;
  return (
    <p className="small ink2">
      {fill("New here? {create}.", {
        create: <Link to={`/users/guest_registration${query}`}>{words.createAnAccount}</Link>,
      })}
    </p>
  );
}

/** For a guest: how to keep what was played so. */
function GuestNote() {
  const { viewer, oidc, closed } = usePage();
  if (viewer === null) return null;
  if (closed?.registration !== undefined) return <Note>{closed.registration}</Note>;
  if (oidc === undefined)
    return <Note>You play as a guest. To keep your balance and your calls, create an account instead.</Note>;
  return (
    <Note>{say`You play as a guest. Sign in with ${oidc.name}, and your balance and your calls come with you.`}</Note>
  );
}

type SignInData = {
  /** Why the visitor was sent to the sign-in page; null where they opened it themselves. */
  reason: string | null;
  /** What a signed-out visitor sees of the game; null for a guest, who knows it. */
  door: FrontDoorView | null;
  /** The name and the face that a visitor begins with; null for a guest, who has both. */
  suggestion: GuestSuggestion | null;
};

/** Redirects users who are signed in. Guests stay: they may have an account. */
export async function loadSignIn({ api, context, url }: LoaderArgs): Promise<SignInData> {
  const { viewer } = context.get(pageContext);
  const returnTo = url.searchParams.get("return_to");
  if (viewer !== null && !viewer.guest) throw redirect(safeReturnPath(returnTo));
  if (viewer !== null) return { reason: null, door: null, suggestion: null };
  const [reason, { frontDoor: door }, suggestion] = await Promise.all([
    findReason(api, returnTo),
    api.get("/api/v1/front_door"),
    fetchSuggestion(api),
  ]);
  return { reason, door, suggestion };
}

async function findReason(api: Api, returnTo: string | null): Promise<string | null> {
  try {
    await api.get("/api/v1/users/me");
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    // That a sign-in has ended is always shown. That one is needed is shown only after a redirect.
    const wasSent = returnTo !== null || error.body?.code !== "unauthenticated";
    return wasSent ? error.message : null;
  }
}

type SignInRefusal = {
  error: string;
  /** What the user can do about it, if anything. */
  detail: string | null;
  code: string;
  email: string;
  errors: FieldErrors;
};

/** Signs in with the form's email and password. A refusal is shown in the form. */
async function signIn({ api, url }: ActionArgs, form: FormData) {
  const fields = { email: "text", password: "text", rememberMe: "checkbox", mergeGuest: "checkbox" } as const;
  const user = readForm(form, fields, inUser);
  const { email } = user;
  try {
    await api.post("/users/sign_in", { user });
  } catch (error) {
    if (isTrouble(error)) return data<SignInRefusal>(unavailable(error, email), { status: 503 });
    if (!(error instanceof ApiError)) throw error;
    const { error: text = error.message, code = "", detail = null, errors = {} } = error.body ?? {};
    return data<SignInRefusal>({ error: text, detail, code, email, errors }, { status: error.status });
  }
  // A new document: the token, the viewer and all loaded data belong to another user now.
  return redirectDocument(safeReturnPath(url.searchParams.get("return_to")));
}

function unavailable(error: ApiError | Unreachable, email: string): SignInRefusal {
  return { error: troubleText(error), detail: null, code: "unavailable", email, errors: {} };
}

/** The button of the sign-in page. Nothing without a provider. */
function ProviderSignIn({ returnTo }: { returnTo: string | null }) {
  const { oidc } = usePage();
  if (oidc === undefined) return null;
  return (
    <div className="stack">
      <ProviderLink
        className={oidc.only ? "btn primary lg wide" : "btn lg wide"}
        label={`Sign in with ${oidc.name}`}
        {...(returnTo === null ? {} : { return_to: returnTo })}
      />
      {oidc.away ? <p className="small ink2">{`${oidc.name} did not answer a moment ago.`}</p> : null}
      <span className="small ink2">
        {fill("With a new account you accept the {terms}.", { terms: <Link to="/terms">terms</Link> })}
      </span>
    </div>
  );
}
