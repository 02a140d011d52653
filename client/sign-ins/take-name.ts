import type { Api } from "../base/api/api.ts";

/** What a host has taken away from a player: the name, and the drawn face or the picture, which is deleted. */
export type TakenName = { userId: number; username: string; face: number | undefined; hadPicture: boolean };

/** Of `facePath`, without its module: code that hosts shared with the sign-in page would be one more file there. */
const FACE = /^\/api\/v1\/faces\/(\d+)$/;

/** Takes a player's name, face and picture away. @returns what it was. */
export async function takeName(api: Api, userId: number): Promise<TakenName> {
  const path = `/api/v1/users/${userId}` as const;
  const { username, avatar } = (await api.get(path)).user;
  await api.put(`${path}/remove_name`);
  const number = FACE.exec(avatar.default ?? "")?.[1];
  const face = number === undefined ? undefined : Number(number);
  return { userId, username, face, hadPicture: avatar.default !== null && face === undefined };
}

/** Gives back the name and the face: a deleted picture does not come back. */
export async function giveNameBack(
  api: Api,
  { userId, username, face }: Pick<TakenName, "userId" | "username" | "face">,
): Promise<void> {
  await api.patch(`/api/v1/users/${userId}`, { user: { username, face } });
}
