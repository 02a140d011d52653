/** Something that is wrong before a start. */
export type StartFault = {
  name: string;
  /** @returns the settings that lead to it. */
  settings: () => Promise<Record<string, string>> | Record<string, string>;
  /** What the doctor and the start say: the cause, and in the same line or the next one the cure. */
  says: RegExp;
  /** "refused": the process ends. "waits": it waits for it. "goes on": it serves without it. */
  start: "refused" | "waits" | "goes on";
  end?: () => unknown;
};

/** Nothing listens there. */
export const NOWHERE = "127.0.0.1:1";

export const uniqueName = (start: string) => `${start}${crypto.randomUUID().slice(0, 8)}`;
