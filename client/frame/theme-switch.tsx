import { useState } from "react";
import { kept } from "../kept.ts";
import { type Theme, themes } from "../page.ts";

const YEAR_SECONDS = 31_536_000;
const labels: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };

/** Chooses light, dark, or the system's theme. The cookie lets the server render the next page in it. */
export const ThemeSwitch = kept(function ThemeSwitch({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial);
  const choose = (next: Theme) => {
    setTheme(next);
    applyTheme(next);
  };
  return (
    <div className="row theme">
      <span className="small ink2">Theme</span>
      <div className="seg push" role="radiogroup" aria-label="Theme">
        {themes.map((name) => (
          <button
            key={name}
            type="button"
            role="radio"
            aria-checked={theme === name}
            onClick={() => choose(name)}
          >
            {labels[name]}
          </button>
        ))}
      </div>
    </div>
  );
});

function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  document.cookie = `theme=${theme}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}
