/** The notice after a form was sent, by the parameter `said` of the page's address. */
const notices = {
  created: "Created. Now its actions: paste them, or add them one by one.",
  saved: "Saved.",
  added: "Added at the end. Here is room for the next one.",
  removed: "Removed.",
  restored: "It is back.",
  duplicated: "Duplicated: the copy is below the original.",
  several: "Saved for all of them.",
  copied: "This is the copy.",
  brought: "Brought in. Look it over, then generate a session.",
  moved: "Moved.",
  pasted: "All lines were added at the end.",
  deleted: "The blueprint is deleted. Sessions that were made from it stay.",
} as const;

export type Notice = keyof typeof notices;

/** The notice in an address; null if it has none. */
export function noticeIn(search: URLSearchParams): { name: Notice; text: string } | null {
  const name = search.get("said") ?? "";
  return isNotice(name) ? { name, text: notices[name] } : null;
}

function isNotice(name: string): name is Notice {
  return Object.hasOwn(notices, name);
}
