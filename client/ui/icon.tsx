import { memo } from "react";

const SHAPES = {
  true: "M12 2a10 10 0 1 0 0 20a10 10 0 0 0 0-20Z",
  false: "M12 1L23 12L12 23L1 12Z",
  mark: "M12 2A10 10 0 0 0 12 22L22 12Z",
  bolt: "M13 2L4 14h7l-1 8l9-12h-7z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
} as const;

const LINES = {
  tick: "M4 12.5l5.5 5.5L20 6.5",
  cross: "M6 6l12 12M18 6L6 18",
  wallet: "M4 7h15v12H4zM4 7l11-4v4M15 12.5h4",
  menu: "M4 7h16M4 12h16M4 17h10",
  back: "M15 7l5 5l-5 5M20 12H10a6 6 0 0 0-6 6",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  clock: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18ZM12 7.5V12l3 2",
  warning: "M12 3.5L22 20H2zM12 10v4.5M12 17.2v.1",
  lock: "M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11",
  offline: "M3 3l18 18M5 12.5a10 10 0 0 1 4-2.4M19 12.5a10 10 0 0 0-4.5-2.6M8.5 16a5 5 0 0 1 7 0M12 19.5v.1",
  slip: "M6 3h12v18l-2-1.5L14 21l-2-1.5L10 21l-2-1.5L6 21zM9 8h6M9 12h6",
  none: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18ZM6 6l12 12",
  trophy: "M8 4h8v6a4 4 0 0 1-8 0zM8 6H4v1a4 4 0 0 0 4 4M16 6h4v1a4 4 0 0 1-4 4M12 14v4M8 21h8M9.5 18h5",
  eye: "M2 12s4-7 10-7s10 7 10 7s-4 7-10 7s-10-7-10-7ZM12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5Z",
  info: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18ZM12 11v6M12 7.5v.1",
  up: "M12 19V5M6 11l6-6l6 6",
  down: "M12 5v14M6 13l6 6l6-6",
  leave: "M14 4h6v16h-6M10 8l-4 4l4 4M6 12h9",
  grip: "M9 6v.1M15 6v.1M9 12v.1M15 12v.1M9 18v.1M15 18v.1",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 21h4",
  person: "M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8ZM4 21a8 8 0 0 1 16 0",
} as const;

export type IconName = keyof typeof SHAPES | keyof typeof LINES;
export type IconSize = "s" | "m" | "l";

const sizes: Record<IconSize, string> = { s: "icon-s", m: "icon", l: "icon-l" };

type IconProps = { name: IconName; size?: IconSize; className?: string };

/** A decorative icon, hidden from screen readers. Text beside it says the same. */
export const Icon = memo(function Icon({ name, size = "m", className = "" }: IconProps) {
  const classes = [sizes[size], isShape(name) ? "" : "line", className];
  return (
    <svg className={classes.filter(Boolean).join(" ")} viewBox="0 0 24 24" aria-hidden="true">
      <path d={isShape(name) ? SHAPES[name] : LINES[name]} />
    </svg>
  );
});

/** The circle of True or the diamond of False, in its colour. */
export function SideShape({ side }: { side: "true" | "false" }) {
  return <Icon name={side} size="s" className={`shape-${side}`} />;
}

function isShape(name: IconName): name is keyof typeof SHAPES {
  return name in SHAPES;
}
