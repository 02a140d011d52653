import { useRef, useState } from "react";
import { copyText } from "#client/base/browser/copy-text.ts";
import { assistantPrompt } from "#client/blueprints/assistant-prompt.ts";

/** A text that makes an assistant write a list which is read as it is. Without JavaScript it is selected and copied by hand. */
export function AssistantPrompt() {
  const details = useRef<HTMLDetailsElement>(null);
  const [said, setSaid] = useState("");
  const copy = async () => {
    const isCopied = await copyText(assistantPrompt);
    if (!isCopied && details.current !== null) details.current.open = true;
    setSaid(
      isCopied
        ? "Copied. Paste it into the assistant, and its answer here."
        : "It could not be copied. Select it below.",
    );
  };
  return (
    <div className="stack close">
      <div className="row wrap">
        <button className="btn sm with-script" type="button" onClick={() => void copy()}>
          Copy a prompt for an assistant
        </button>
        <span className="small ink2" role="status">
          {said}
        </span>
      </div>
      <details className="fold small" ref={details}>
        <summary>The prompt for an assistant</summary>
        <pre className="prompt" tabIndex={0}>
          {assistantPrompt}
        </pre>
      </details>
    </div>
  );
}
