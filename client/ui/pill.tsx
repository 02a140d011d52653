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

export function Pill({ icon, tone = "plain", text }: { icon: IconName; tone?: PillTone; text: string }) {
  return (
    <span className={tone === "plain" ? "pill" : `pill ${tone}`}>
      <Icon name={icon} />
      <span>{text}</span>
    </span>
  );
}
