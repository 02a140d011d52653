import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { presentAvatar, readAvatar } from "#src/sign-ins/present-avatar.ts";
import { forUser } from "./address-message.ts";
import type { Messages, Telling } from "./messages.ts";

/** A user hears which pictures stand for them now. */
export async function* tellAvatar(
  { tx, serverTime }: Pick<Telling, "tx" | "serverTime">,
  { userId }: { userId: number },
): Messages {
  const [user] = await tx.select({ avatar: users.avatar }).from(users).where(eq(users.id, userId));
  if (user === undefined) return;
  const version = readAvatar(user.avatar)?.revision ?? 0;
  const detail = { avatar: presentAvatar(user.avatar), version, serverTime };
  yield [forUser(userId, { sourceType: "User", eventType: "avatar", detail })];
}
