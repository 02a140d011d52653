import type { FormEvent } from "react";
import type { ShareKind } from "#db/lists/shares.ts";
import { useTimeZone } from "../base/format/time-zone.ts";
import { useApi } from "../base/page/context.ts";
import { CsrfField } from "../ui/csrf-field.tsx";

type ShareButtonProps = {
  kind: ShareKind;
  targetId: number;
  className: string;
  disabled?: boolean;
  children: string;
};

/** Shares by what the device offers, else copies the link. Without JavaScript the form leads to the page with it. */
export function ShareButton({ kind, targetId, className, disabled, children }: ShareButtonProps) {
  const api = useApi();
  const timeZone = useTimeZone();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    import("./send-share.ts").then(
      ({ sendShare }) => sendShare(api, { kind, targetId, timeZone }),
      () => form.submit(),
    );
  };
  return (
    <form method="post" action="/shares" onSubmit={send}>
      <CsrfField />
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="target_id" value={targetId} />
      <input type="hidden" name="time_zone" value={timeZone} />
      <button className={className} type="submit" disabled={disabled}>
        {children}
      </button>
    </form>
  );
}
