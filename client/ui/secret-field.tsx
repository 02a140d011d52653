import { useRef, useState } from "react";
import { copyText } from "../base/browser/copy-text.ts";
import { Panel } from "./page-layout.tsx";

type SecretPanelProps = { title: string; about: string; secret: string; label: string };

/** A new secret, and what to do with it now. */
export function SecretPanel({ title, about, ...field }: SecretPanelProps) {
  return (
    <Panel title={title}>
      <div className="body stack" role="status">
        <p>{about}</p>
        <SecretField {...field} />
      </div>
    </Panel>
  );
}

/** A secret that is shown once, in a field from which it can be copied. */
function SecretField({ secret, label }: { secret: string; label: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState("");
  const copy = async () => {
    field.current?.select();
    setSaid(
      (await copyText(secret))
        ? "Copied."
        : "The browser did not copy it. It is marked: press Ctrl or Cmd and C.",
    );
  };
  return (
    <div className="stack">
      <div className="row wrap">
        <input
          className="input grow mono"
          readOnly
          value={secret}
          aria-label={label}
          autoComplete="off"
          spellCheck={false}
          ref={field}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <button className="btn" type="button" onClick={() => void copy()}>
          Copy
        </button>
      </div>
      <p className="small ink2" role="status">
        {said}
      </p>
    </div>
  );
}
