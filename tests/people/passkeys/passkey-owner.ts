import * as v from "valibot";
import {
  confirmOptionsAnswer,
  creationOptionsAnswer,
  passkeyAnswer,
  requestOptionsAnswer,
} from "#src/people/passkeys/schemas.ts";
import { PASSWORD, type Person } from "../users/person.ts";
import { Authenticator, type Lies } from "./authenticator.ts";

const PATH = "/api/v1/users/me/passkeys";

export function askForPasskey(person: Person, currentPassword = PASSWORD): Promise<Response> {
  return person.send("POST", `${PATH}/options`, { body: { passkey: { current_password: currentPassword } } });
}

export async function optionsIn(response: Response) {
  return v.parse(creationOptionsAnswer, await response.json()).options;
}

export async function confirmOptionsIn(response: Response) {
  return v.parse(confirmOptionsAnswer, await response.json()).options;
}

/** Sends the authenticator's answer to these options. */
export async function sendPasskey(
  person: Person,
  authenticator: Authenticator,
  { options, lies = {} }: { options: Awaited<ReturnType<typeof optionsIn>>; lies?: Lies },
): Promise<Response> {
  const credential = authenticator.create(options, lies);
  return person.send("POST", PATH, { body: { passkey: { name: "My phone", credential } } });
}

export async function addPasskey(person: Person): Promise<{ authenticator: Authenticator; id: number }> {
  const authenticator = new Authenticator();
  const options = await optionsIn(await askForPasskey(person));
  const added = await sendPasskey(person, authenticator, { options });
  return { authenticator, id: v.parse(passkeyAnswer, await added.json()).passkey.id };
}

/** Asks for the options of a sign-in by passkey. */
export async function askForSignIn(person: Person) {
  if (person.token === "") await person.get("/api/v1/users/me");
  const response = await person.send("POST", "/users/sign_in/passkey/options");
  return v.parse(requestOptionsAnswer, await response.json()).options;
}

export function sendSignIn(person: Person, credential: object): Promise<Response> {
  return person.send("POST", "/users/sign_in/passkey", { body: { user: { credential } } });
}

/** Signs in by passkey, at this browser. */
export async function signInByPasskey(
  person: Person,
  authenticator: Authenticator,
  lies: Lies = {},
): Promise<Response> {
  return sendSignIn(person, authenticator.get(await askForSignIn(person), lies));
}
