import type { Avatar as Pictures } from "#src/people/avatars/schemas.ts";

const sizes = {
  m: { className: "avatar", px: 32, picture: "small" },
  lg: { className: "avatar lg", px: 56, picture: "medium" },
  xl: { className: "avatar xl", px: 128, picture: "large" },
} as const;

type AvatarProps = { name: string; avatar: Pictures | null; size?: keyof typeof sizes };

/** A player's picture, or the first letters of the name where there is none. The name itself is shown beside it. */
export function Avatar({ name, avatar, size = "m" }: AvatarProps) {
  const { className, px, picture } = sizes[size];
  const source = avatar?.[picture] ?? null;
  if (source !== null) return <img className={className} src={source} alt="" width={px} height={px} />;
  return (
    <span className={className} aria-hidden="true" translate="no">
      {initialsOf(name, 2)}
    </span>
  );
}

/** The first letters of a name as they are drawn, each with its marks. */
export function initialsOf(name: string, count: number): string {
  return (name.match(/[\p{L}\p{N}]\p{M}*/gu) ?? []).slice(0, count).join("").toUpperCase();
}
