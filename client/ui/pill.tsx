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

type PillProps = { icon: IconName; tone?: PillTone; text: string };

export function Pill({ icon, tone = "plain", text }: PillProps) {
  return (
    <span className={tone === "plain" ? "pill" : `pill ${tone}`}>
      <Icon name={icon} />
      <span>{text}</span>
    </span>
  );
}
