import type { GuestSuggestion } from "#src/people/users/schemas.ts";
import { type Api, ApiError } from "../base/api/api.ts";

/** What a new guest has chosen. `suggested`: the name that the page has offered. */
export type GuestWish = {
  username?: string | undefined;
  face?: number | undefined;
  suggested?: string | undefined;
};

/** Sends what a new guest has chosen. Without a chosen name, or where the suggested one was taken, it is a suggested one. */
export async function asGuest<Answer>(
  api: Api,
  { suggested, ...chosen }: GuestWish,
  send: (guest: { username: string; face: number | undefined }) => Promise<Answer>,
): Promise<Answer> {
  const { username, face } = chosen;
  if (username !== undefined) {
    try {
      return await send({ username, face });
    } catch (error) {
      if (username !== suggested || !isNameRefused(error)) throw error;
    }
  }
  const suggestion = await fetchSuggestion(api);
  return send({ ...suggestion, face: face ?? suggestion.face });
}

/** A name and a face that a guest may begin with. */
export async function fetchSuggestion(api: Api): Promise<GuestSuggestion> {
  return (await api.get("/api/v1/guest_suggestion")).guestSuggestion;
}

function isNameRefused(error: unknown): boolean {
  return error instanceof ApiError && error.body?.errors?.["username"] !== undefined;
}
