import { Icon, type IconName } from "./icon.tsx";

export type PillTone =
  | "plain"
  | "live"
  | "outline"
  | "you"
  | "ok"
  | "warn"
  | "bad"
  | "true"
  | "false"
  | "gone";

/** A state in words with an icon. */
export function Pill({
  icon,
  tone = "plain",
  children,
}: {
  icon: IconName;
  tone?: PillTone;
  children: string;
}) {
  return (
    <span className={tone === "plain" ? "pill" : `pill ${tone}`}>
      <Icon name={icon} />
      {children}
    </span>
  );
}
