import { useRef, useState } from "react";
import { copyText } from "#client/base/browser/copy-text.ts";

type CopyFieldProps = {
  url: string;
  label: string;
  copyLabel: string;
  /** What is said until something was copied. */
  note?: string;
};

export function CopyField({ url, label, copyLabel, note = "" }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState({ url: "", outcome: "" });
  const copy = async () => {
    field.current?.select();
    setCopied({
      url,
      outcome: (await copyText(url))
        ? "Copied"
        : "It could not be copied. The link is selected: copy it yourself.",
    });
  };
  return (
    <div className="stack copy-field">
      <input className="input sm" readOnly value={url} aria-label={label} ref={field} />
      <button className="btn" type="button" onClick={() => void copy()}>
        {copyLabel}
      </button>
      <p className="small ink2" role="status">
        {copied.url === url ? copied.outcome : note}
      </p>
    </div>
  );
}
