import { useState } from "react";
import { storePreference } from "#client/base/browser/store-preference.ts";
import { contrastMedia, type Theme, themes } from "#client/base/page/page.ts";
import * as texts from "#client/ui/frame-texts.ts";

const labels: Record<Theme, string> = {
  system: texts.system,
  light: texts.light,
  dark: texts.dark,
  contrast: texts.highContrast,
};

/** Chooses light, dark, high contrast, or the system's theme. The cookie lets the server render the next page in it. */
export function ThemeSwitch({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial);
  const choose = (next: Theme) => {
    setTheme(next);
    applyTheme(next);
  };
  return (
    <div className="row theme">
      <span className="small ink2">{texts.theme}</span>
      <div className="seg push" role="radiogroup" aria-label={texts.theme}>
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
}

function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  document.querySelector("#contrast")?.setAttribute("media", contrastMedia(theme));
  storePreference("theme", theme);
}
