import type { Avatar as Pictures } from "#src/sign-ins/schemas.ts";

const sizes = {
  m: { className: "avatar", px: 32, picture: "small" },
  lg: { className: "avatar lg", px: 56, picture: "medium" },
  xl: { className: "avatar xl", px: 128, picture: "large" },
} as const;

type AvatarProps = { name: string; avatar: Pictures | null; size?: keyof typeof sizes };

/** A player's picture, or the first letters of the name where there is none. The name itself is shown beside it. */
export function Avatar({ name, avatar, size = "m" }: AvatarProps) {
  return <Picture name={name} source={pictureOf(avatar, size)} size={size} />;
}

/** The address of the picture in a size; null where there is none. */
export function pictureOf(avatar: Pictures | null, size: keyof typeof sizes = "m"): string | null {
  return avatar?.[sizes[size].picture] ?? null;
}

type PictureProps = { name: string; source: string | null; size?: keyof typeof sizes };

/** The same for a picture whose address is known. */
export function Picture({ name, source, size = "m" }: PictureProps) {
  const { className, px } = sizes[size];
  if (source !== null) return <img className={className} src={source} alt="" width={px} height={px} />;
  return (
    <span className={className} aria-hidden="true" translate="no">
      {initialsOf(name)}
    </span>
  );
}

function initialsOf(name: string): string {
  return name
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .slice(0, 2)
    .toUpperCase();
}
