import type { Transaction } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import { say } from "#src/http/contract.ts";
import { enqueueMail, writeMail } from "#src/mail/write-mail.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";

type PasskeyChange = {
  viewer: Pick<Viewer, "id" | "email">;
  kind: "passkey_added" | "passkey_removed";
  name: string;
};

/** What the notification says. The mail says it at more length: src/people/users/compose-mail.ts. */
const texts = {
  passkey_added: (name: string) => ({
    title: "A passkey was added",
    body: say`“${name}” signs in to your account from now on. Was it not you? Remove it, and choose a new password.`,
  }),
  passkey_removed: (name: string) => ({
    title: "A passkey was removed",
    body: say`“${name}” no longer signs in to your account. Was it not you? Choose a new password.`,
  }),
};

/**
 * Records what tells the owner of an account that its passkeys have changed: a notification and a mail, in the transaction of the
 * change. A thief who is signed in could otherwise keep a way in unseen.
 * @returns sends both; call it after the commit.
 */
export async function reportChange(
  tx: Transaction,
  { viewer, kind, name }: PasskeyChange,
): Promise<(deps: Deps) => Promise<void>> {
  await writeNotifications(tx, [
    { userId: viewer.id, kind: "security", ...texts[kind](name), url: "/profile/account" },
  ]);
  const { email, id: userId } = viewer;
  const mailId = email === null ? null : await writeMail(tx, { kind, recipient: email, userId });
  return async (deps) => {
    deps.notifyRelay();
    if (mailId !== null) await enqueueMail(deps, mailId);
  };
}
