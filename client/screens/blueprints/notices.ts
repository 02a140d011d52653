import * as texts from "#client/blueprints/blueprints-texts.ts";

/** The notice after a form was sent, by the parameter `said` of the page's address. */
const notices = {
  created: texts.created,
  saved: texts.saved,
  added: texts.added,
  removed: texts.removed,
  restored: texts.restored,
  duplicated: texts.duplicated,
  several: texts.severalSaved,
  copied: texts.copied,
  brought: texts.brought,
  moved: texts.moved,
  pasted: texts.linesAdded,
  deleted: texts.deleted,
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
