import type { View } from "#client/events/view.ts";

export const noLeaders: View["data"]["leaders"] = { leaders: [], me: null, exclusion: null, totalCount: 0 };
const nothing = () => undefined;
const never = async () => undefined;

/** What the parts of the Action page read about their viewer: the big screen has none. */
export const onlyWatching: Pick<
  View,
  "refused" | "watching" | "breakUntil" | "playable" | "unread" | "viewerCalls" | "placing" | "recall"
> = {
  recall: () => undefined,
  refused: false,
  watching: true,
  breakUntil: null,
  playable: false,
  unread: false,
  viewerCalls: null,
  placing: {
    pending: null,
    resting: false,
    takenBack: null,
    refusal: null,
    news: "",
    place: never,
    cancel: never,
    refuse: nothing,
    announce: nothing,
  },
};
