/** A player's picture; until there is one, the first letters of the name. */
export function Avatar({ name, size = "m" }: { name: string; size?: "m" | "lg" }) {
  return (
    <span className={size === "lg" ? "avatar lg" : "avatar"} aria-hidden="true">
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
