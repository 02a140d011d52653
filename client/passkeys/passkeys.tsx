import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import * as words from "#client/base/format/words.ts";
import { PASSKEY_NAME_LENGTH_MAX } from "#src/people/passkeys/contract.ts";
import type { PasskeysAnswer, PasskeyView } from "#src/people/passkeys/schemas.ts";
import { safeReturnPath } from "#src/people/sign-ins/contract.ts";
import { type Api, ApiError } from "../base/api/api.ts";
import { formatDate } from "../base/format/time-format.ts";
import { useTimeZone } from "../base/format/time-zone.ts";
import { endOwnSignIn } from "../base/live/sign-in-visit.ts";
import { useApi } from "../base/page/context.ts";
import { CurrentPassword, useProofReason } from "../sign-ins/account-form.tsx";
import { leaveDevice } from "../sign-ins/sign-out.ts";
import { charactersAtMost } from "../ui/characters-at-most.ts";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { Submit } from "../ui/submit.tsx";

// What needs a passkey, in a chunk that comes after the page.

const PATH = "/api/v1/users/me/passkeys";

/** The button that signs in by passkey. Where the browser can, it also offers the passkeys in the email field. */
export function PasskeySignIn() {
  const api = useApi();
  const place = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState("");
  useEffect(() => {
    void offerPasskeys(api, () => tickedIn(place.current));
  }, [api]);
  if (!browserSupportsWebAuthn()) return null;
  const press = async () => {
    try {
      await signInByPasskey(api, { autofill: false, ticked: () => tickedIn(place.current) });
    } catch (error) {
      setSaid(passkeyErrorText(error) ?? "");
    }
  };
  return (
    <div ref={place}>
      <button className="btn lg wide" type="button" onClick={() => void press()}>
        Use a passkey
      </button>
      <p className="small ink2" role="status">
        {said}
      </p>
    </div>
  );
}

/** Offers the passkeys in the email field. What nobody chose, or the server refused there, needs no answer: the form goes on. */
async function offerPasskeys(api: Api, ticked: () => Ticked): Promise<void> {
  try {
    if (await browserSupportsWebAuthnAutofill()) await signInByPasskey(api, { autofill: true, ticked });
  } catch {
    // The button and the password are still there.
  }
}

type Ticked = { rememberMe: boolean; mergeGuest: boolean };

function tickedIn(place: HTMLElement | null): Ticked {
  const form = place?.closest("section");
  const isTicked = (name: string) =>
    form?.querySelector<HTMLInputElement>(`[name="user[${name}]"]`)?.checked ?? false;
  return { rememberMe: isTicked("remember_me"), mergeGuest: isTicked("merge_guest") };
}

async function signInByPasskey(
  api: Api,
  { autofill, ticked }: { autofill: boolean; ticked: () => Ticked },
): Promise<void> {
  const { options } = await api.post("/users/sign_in/passkey/options");
  const credential = await startAuthentication({ optionsJSON: options, useBrowserAutofill: autofill });
  await api.post("/users/sign_in/passkey", { user: { credential, ...ticked() } });
  // A new document: the token, the viewer and all loaded data belong to another user now.
  location.assign(safeReturnPath(new URL(location.href).searchParams.get("return_to")));
}

/** In the question whether to delete the account: a passkey instead of the password. */
export function DeleteByPasskey() {
  const api = useApi();
  const [said, setSaid] = useState("");
  if (!browserSupportsWebAuthn()) return null;
  const press = async () => {
    setSaid("");
    try {
      const { options } = await api.post(`${PATH}/confirmation`);
      const credential = await startAuthentication({ optionsJSON: options });
      await endOwnSignIn(() => api.put("/api/v1/users/me/delete", { user: { credential } }));
    } catch (error) {
      setSaid(passkeyErrorText(error) ?? "");
      return;
    }
    await leaveDevice();
    location.assign("/users/sign_in?now=account_deleted");
  };
  return (
    <div>
      <button className="btn wide" type="button" onClick={() => void press()}>
        Delete for good with a passkey
      </button>
      <p className="small ink2" role="status">
        {said}
      </p>
    </div>
  );
}

export function PasskeysPanel() {
  const { answer, said, add, rename, remove } = usePasskeys();
  const form = useRef<HTMLFormElement>(null);
  const needsProof = answer !== null && !answer.fresh;
  const removeBy = (id: number) =>
    remove(id, form.current === null ? "" : textIn(form.current, "user[current_password]"));
  return (
    <Panel title="Passkeys" aside={answer?.passkeys.length}>
      <div className="body stack narrow">
        <p className="small ink2">
          Sign in with your fingerprint, your face or your device's PIN instead of a password.
        </p>
        {needsProof && answer.passkeys.length > 0 ? (
          <p className="small ink2">
            Removing one asks for a passkey, or for the password below if you enter it.
          </p>
        ) : null}
        <AdminNote answer={answer} />
        <p role="status">{said}</p>
      </div>
      <ul className="list">
        {answer?.passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} rename={rename} remove={removeBy} />
        ))}
      </ul>
      {answer === null ? null : <AddForm form={form} needsPassword={needsProof} add={add} />}
    </Panel>
  );
}

function AdminNote({ answer }: { answer: PasskeysAnswer | null }) {
  if (answer === null || !answer.required || answer.confirmed) return null;
  return (
    <Note tone="warn">
      {answer.passkeys.length === 0
        ? "You are an admin. Add a passkey: until then this sign-in acts as a player's."
        : "You are an admin. Sign in with your passkey: until then this sign-in acts as a player's."}
    </Note>
  );
}

type RowProps = {
  passkey: PasskeyView;
  rename: (id: number, name: string) => Promise<void>;
  remove: (id: number) => Promise<void>;
};

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt }, rename, remove }: RowProps) {
  const zone = useTimeZone();
  const used = lastUsedAt === null ? "never used" : `last used ${formatDate(lastUsedAt, zone)}`;
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void rename(id, textIn(event.currentTarget, "name"));
  };
  return (
    <li>
      <form className="grow row wrap" onSubmit={send}>
        <input
          className="input"
          name="name"
          aria-label={`Name of ${name}`}
          defaultValue={name}
          {...charactersAtMost(PASSKEY_NAME_LENGTH_MAX)}
          required
        />
        <button className="btn sm" type="submit" aria-label={`Rename ${name}`}>
          Rename
        </button>
        <button
          className="btn sm"
          type="button"
          aria-label={`Remove ${name}`}
          onClick={() => void remove(id)}
        >
          {words.remove}
        </button>
        <span className="small ink2">
          {`Added ${formatDate(createdAt, zone)}`}, {used}
        </span>
      </form>
    </li>
  );
}

type AddProps = {
  form: RefObject<HTMLFormElement | null>;
  needsPassword: boolean;
  add: (passkey: { name: string; currentPassword: string }) => Promise<boolean>;
};

function AddForm({ form, needsPassword, add }: AddProps) {
  const [isBusy, setBusy] = useState(false);
  const reason = useProofReason();
  const password = needsPassword ? <CurrentPassword intent="passkey" refusal={undefined} /> : null;
  if (!browserSupportsWebAuthn())
    return (
      <form className="body stack narrow" ref={form} onSubmit={(event) => event.preventDefault()}>
        <p className="small ink2">
          This browser has no passkeys, or the page is not opened by its own address.
        </p>
        {password}
      </form>
    );
  const send = async (sent: HTMLFormElement) => {
    if (isBusy) return;
    setBusy(true);
    const currentPassword = textIn(sent, "user[current_password]");
    if (await add({ name: textIn(sent, "name"), currentPassword })) sent.reset();
    setBusy(false);
  };
  return (
    <form
      className="body stack narrow"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
    >
      <Field
        label="Name of the passkey"
        id="passkey-name"
        name="name"
        maxLength={PASSKEY_NAME_LENGTH_MAX}
        value="My device"
      />
      {password}
      <Submit busy={isBusy} disabledReason={needsPassword ? reason : null}>
        Add a passkey
      </Submit>
    </form>
  );
}

function textIn(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}

/** The passkeys of the account, null until they are loaded; what to say about the last change; and the changes. */
function usePasskeys() {
  const api = useApi();
  const [answer, setAnswer] = useState<PasskeysAnswer | null>(null);
  const [said, setSaid] = useState("");
  useEffect(() => {
    // Without an answer the panel stays empty until the next visit.
    api.get(PATH).then(setAnswer, () => undefined);
  }, [api]);
  /** Makes a change and says how it went. @returns true if it was made. */
  const change = async (make: () => Promise<unknown>, done: string): Promise<boolean> => {
    setSaid("");
    try {
      await make();
      setSaid(done);
      setAnswer(await api.get(PATH));
      return true;
    } catch (error) {
      setSaid(passkeyErrorText(error) ?? "");
      return false;
    }
  };
  return {
    answer,
    said,
    add: ({ name, currentPassword }: { name: string; currentPassword: string }) =>
      change(async () => {
        const { options } = await api.post(`${PATH}/options`, { passkey: { currentPassword } });
        const credential = await startRegistration({ optionsJSON: options });
        await api.post(PATH, { passkey: { name, credential } });
        // The sign-in is an admin's from now on: the whole page is another one.
        if (answer?.required === true && !answer.confirmed) location.reload();
      }, "The passkey is added."),
    rename: async (id: number, name: string) => {
      await change(() => api.patch(`${PATH}/${id}`, { passkey: { name } }), "The passkey is renamed.");
    },
    remove: async (id: number, currentPassword: string) => {
      await change(async () => {
        const proof = answer?.fresh === true ? {} : await proofOf(api, currentPassword);
        await api.delete(`${PATH}/${id}`, { data: { passkey: proof } });
      }, "The passkey is removed. Delete it on your device too.");
    },
  };
}

/** The password if it was entered, else the answer of a passkey. Without either the server says what it needs. */
async function proofOf(api: Api, currentPassword: string) {
  if (currentPassword !== "" || !browserSupportsWebAuthn()) return { currentPassword };
  const { options } = await api.post(`${PATH}/confirmation`);
  return { credential: await startAuthentication({ optionsJSON: options }) };
}

/** What to say after a passkey was not made or not accepted; null: another request of this page took its place. */
function passkeyErrorText(error: unknown): string | null {
  if (error instanceof ApiError) return error.body?.detail ?? error.message;
  if (error instanceof WebAuthnError) {
    if (error.code === "ERROR_CEREMONY_ABORTED") return null;
    if (error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
      return "This device has a passkey for your account already.";
  }
  return error instanceof Error && error.name === "NotAllowedError"
    ? "No passkey was chosen. Try again when you are ready."
    : "That did not work. Try again, or use your password.";
}
