/** Who reads. `owner` owns the private things; `host` is the admin who runs the show and has private things too. */
export const viewerNames = [
  "stranger",
  "guest",
  "owner",
  "player",
  "operator",
  "admin",
  "host",
  "readToken",
  "runToken",
  "receiver",
] as const;
export type ViewerName = (typeof viewerNames)[number];

/** A text that stands in one place of the world, and who may read it there. */
export type Marker = { text: string; what: string; readers: readonly ViewerName[] };

/** Admins, and programs that act for them. */
export const hosts = ["admin", "host", "readToken", "runToken"] as const satisfies readonly ViewerName[];
export const admins = ["admin", "host"] as const satisfies readonly ViewerName[];
export const nobody: readonly ViewerName[] = [];

let lastNumber = 0;

/** A text that stands nowhere else: neither another marker nor a random text contains it. */
export function newText(): string {
  lastNumber += 1;
  return `Qz${lastNumber}Mark`;
}

/** The markers that stand in a text that their reader may not have. */
export function findLeaks(
  text: string,
  { reader, markers }: { reader: ViewerName; markers: readonly Marker[] },
) {
  // Addresses of mail are lower-cased.
  const lower = text.toLowerCase();
  return markers.filter((one) => !one.readers.includes(reader) && lower.includes(one.text.toLowerCase()));
}
