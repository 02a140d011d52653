import { browserSupportsWebAuthn, startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { useEffect, useState } from "react";
import type { PasskeysAnswer } from "#src/people/passkeys/schemas.ts";
import type { Api } from "../base/api/api.ts";
import { useApi } from "../base/page/context.ts";
import { passkeyErrorText } from "./passkey-error.ts";
import { passkeysTexts as texts } from "./passkeys-texts.ts";

const PATH = "/api/v1/users/me/passkeys";

/** The passkeys of the account, null until they are loaded; what to say about the last change; and the changes. */
export function usePasskeys() {
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
      }, texts.wasAdded),
    rename: async (id: number, name: string) => {
      await change(() => api.patch(`${PATH}/${id}`, { passkey: { name } }), texts.wasRenamed);
    },
    remove: async (id: number, currentPassword: string) => {
      await change(async () => {
        const proof = answer?.fresh === true ? {} : await proofOf(api, currentPassword);
        await api.delete(`${PATH}/${id}`, { data: { passkey: proof } });
      }, texts.wasRemoved);
    },
  };
}

/** The password if it was entered, else the answer of a passkey. Without either the server says what it needs. */
async function proofOf(api: Api, currentPassword: string) {
  if (currentPassword !== "" || !browserSupportsWebAuthn()) return { currentPassword };
  const { options } = await api.post(`${PATH}/confirmation`);
  return { credential: await startAuthentication({ optionsJSON: options }) };
}
