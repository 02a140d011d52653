/** The square sizes of an avatar with their side lengths in pixels, the smallest first. A new one is another entry. */
export const avatarSquares = [
  { size: "thumb", sidePx: 48 },
  { size: "small", sidePx: 96 },
  { size: "medium", sidePx: 128 },
  { size: "large", sidePx: 256 },
] as const;
/** All sizes of an avatar, the smallest first. The original keeps its own size. */
export type AvatarSize = (typeof avatarSquares)[number]["size"] | "original";
export const avatarSizes: readonly AvatarSize[] = [...avatarSquares.map(({ size }) => size), "original"];
