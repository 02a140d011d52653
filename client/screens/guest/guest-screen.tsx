import {
  Form,
  Link,
  redirect,
  redirectDocument,
  useActionData,
  useLoaderData,
  useSearchParams,
} from "react-router";
import { formatMoney } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { pageContext, useClosed, useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs, ActionArgs } from "#client/base/page/handle.ts";
import { becomeGuest } from "#client/sign-ins/become-guest.ts";
import { faceOf, FacePicker } from "#client/sign-ins/face-picker.tsx";
import { Cover } from "#client/ui/cover.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { SEE_OTHER } from "#client/ui/forms/answer-form.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { BalanceChip } from "#client/wallet/balance-chip.tsx";
import { useWallet } from "#client/wallet/wallet-state.tsx";
import { safeReturnPath } from "#src/people/sign-ins/contract.ts";
import { USERNAME_LENGTH_MAX, GUEST_PREFIX } from "#src/people/users/contract.ts";

/** The page that guests see instead of pages for accounts: how to create an account, what it keeps, and the way back. */
export function GuestScreen() {
  return (
    <Cover corner={<BalanceChip />}>
      <section className="dialog">
        <h1>Welcome, guest user!</h1>
        <p className="ink2">To view the rest of the site, you need to finish creating your account.</p>
        <CreateAccount />
        <GuestBalanceNote />
        <BackToLive />
        <Link className="btn ghost wide" to="/join">
          {words.haveACode}
        </Link>
        <BreakLink />
      </section>
      <NameAndFace />
    </Cover>
  );
}

/** The way to an account; or why there is none. */
function CreateAccount() {
  const closed = useClosed("registration");
  if (closed !== undefined) return <Note>{closed}</Note>;
  return (
    <Link className="btn primary lg wide" to="/users/guest_registration">
      {words.createAccountTitle}
    </Link>
  );
}

/** The way back to the game; nothing while no session is live. */
export function BackToLive() {
  const { active } = useLoaderData<GuestData>();
  if (active === null) return null;
  return (
    <Link className="btn ghost wide" to={`/sessions/${active.slug}`}>
      Back to the live session
    </Link>
  );
}

/** Guests take breaks too, where payments are on. */
function BreakLink() {
  if (useLoaderData<GuestData>().hasBreaks !== true) return null;
  return (
    <Link className="btn ghost wide" to="/profile/wallet/spending">
      Take a break
    </Link>
  );
}

/** The balance and the rank that a guest keeps in a new account. */
export function GuestBalanceNote() {
  const { wallet, availableCents } = useWallet();
  if (wallet === null) return null;
  const what = wallet.metrics.callsPlaced === 0 ? " comes" : " and your rank come";
  return <Note>{`Your ${formatMoney(availableCents)}${what} with you.`}</Note>;
}

/** How others see the guest. Both go into the account with the guest. */
function NameAndFace() {
  const viewer = useViewer();
  const refusal = useActionData<NameAndFaceRefusal>();
  const [search] = useSearchParams();
  const form = useErrorFocus<HTMLFormElement>(refusal);
  if (viewer === null) return null;
  const errors = refusal?.errors["username"];
  return (
    <Form className="dialog" method="post" ref={form}>
      <h2>Your name and face</h2>
      {refusal === undefined && search.get("now") === "saved" ? (
        <Note tone="ok">Saved. Everybody sees you like this now.</Note>
      ) : null}
      {refusal === undefined || errors !== undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
      <CsrfField />
      <Field
        label={words.username}
        name="user[username]"
        autoComplete="nickname"
        maxLength={USERNAME_LENGTH_MAX}
        hint={words.usernameRules}
        value={refusal?.username ?? chosenName(viewer)}
        errors={errors}
        optional
      />
      <FacePicker chosen={refusal?.face ?? faceOf(viewer.avatar)} />
      <Submit className="btn primary wide">{words.save}</Submit>
    </Form>
  );
}

type NameAndFaceRefusal = Refused & { username: string; face: number | undefined };

/** Changes the name and the face of a guest. What is left empty stays. */
export async function changeNameAndFace({ api, context, request }: ActionArgs) {
  requireGuest(context);
  const { username, face } = readForm(
    await request.formData(),
    { username: "optional", face: "number" },
    inUser,
  );
  try {
    await api.patch("/users/guest", { user: { username, face } });
  } catch (error) {
    return refuseForm<NameAndFaceRefusal>(error, { username: username ?? "", face });
  }
  // A new document: the page's viewer has another name now.
  return redirectDocument("/guest?now=saved", SEE_OTHER);
}

/** Warns a guest before the logout: without an account the guest cannot come back. */
export function LeaveScreen() {
  return (
    <Cover corner={<BalanceChip />}>
      <section className="dialog">
        <h1>Leave for good?</h1>
        <p className="ink2">
          Only this browser knows you, and a logout makes it forget. With an account you can come back.
        </p>
        <GuestBalanceNote />
        <CreateAccount />
        <Form method="post">
          <CsrfField />
          <Submit className="btn ghost wide">Logout anyway</Submit>
        </Form>
      </section>
    </Cover>
  );
}

/** For guests only, because only they lose something. Opening the page does not end the sign-in. */
export function loadLeaving({ context }: LoaderArgs): null {
  requireGuest(context);
  return null;
}

/** Other users are redirected. */
function requireGuest(context: LoaderArgs["context"]): void {
  if (context.get(pageContext).viewer?.guest !== true) throw redirect("/sessions");
}

/** The name that a guest has chosen; empty for a generated one, which no account may have. */
export function chosenName({ username }: { username: string }): string {
  return username.startsWith(GUEST_PREFIX) ? "" : username;
}

/** The session that a guest can return to; null where none is live. */
type GuestData = { active: { slug: string; name: string } | null; hasBreaks?: boolean };

/** What the form of a new account shows besides. `name`: what a guest without a name of their own may be called. */
export type RegistrationData = GuestData & { name: string };

export async function loadGuest(args: LoaderArgs): Promise<GuestData> {
  const { api } = args;
  requireGuest(args.context);
  // Not found where payments are off.
  const spending = api.get("/api/v1/spending");
  const [back, hasBreaks] = await Promise.all([
    findWayBack(args),
    spending.then(
      () => true,
      () => false,
    ),
  ]);
  return { ...back, hasBreaks };
}

/** The live session, for the way back to it. */
export async function findWayBack({ api }: LoaderArgs): Promise<GuestData> {
  const query = { active: true };
  const { sessions } = await api.get("/api/v1/sessions", { query });
  const [active] = sessions;
  return { active: active === undefined ? null : { slug: active.slug, name: active.name } };
}

/** Signs the visitor in as a guest by one tap, and opens the session of `return_to`, else the live one. */
export function playAsGuest({ api, url }: ActionArgs): Promise<Response> {
  const returnPath = safeReturnPath(url.searchParams.get("return_to"));
  return becomeGuest(api, { returnPath });
}
