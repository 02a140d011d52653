import { formatCount } from "#client/base/format/count.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { Choice } from "#client/ui/choice.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { boundTo } from "#client/ui/forms/bind.ts";
import { Refusal } from "#client/ui/forms/post-form.tsx";
import { MomentField } from "#client/ui/moment-field.tsx";
import { webhookKinds } from "#db/lists/webhooks.ts";
import { say } from "#src/http/contract.ts";
import { DELIVERY_DAYS, kindLabel, RESENT_MAX } from "#src/webhooks/contract.ts";
import type { WebhookView } from "#src/webhooks/schemas.ts";
import type { WebhooksRefusal } from "./add-webhook.tsx";

const kinds = [
  { value: "", label: "Everything" },
  ...webhookKinds.map((kind) => ({ value: kind, label: kindLabel(kind) })),
];

type SendAgainProps = { webhook: WebhookView; refusal: WebhooksRefusal | undefined };

export function SendAgain({ webhook: { id, name }, refusal }: SendAgainProps) {
  const zone = useTimeZone();
  const bind = boundTo(refusal);
  const dates = { zone, hint: `In your time zone: ${zone}.` };
  return (
    <Confirm
      label="Send several again"
      className="btn sm"
      title={say`Send messages to ${name} again`}
      act={{ label: "Send again", intent: "again" }}
      refusal={refusal}
    >
      <p>{`Each message of this time is sent once more, with the same id: at most ${formatCount(RESENT_MAX)}, of the last ${DELIVERY_DAYS} days.`}</p>
      <Refusal refused={refusal} unless={["from", "to"]} />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="time_zone" value={zone} />
      <MomentField key={`from ${zone}`} label="From" id="again-from" {...dates} {...bind("from")} />
      <MomentField key={`to ${zone}`} label="Until" id="again-to" {...dates} {...bind("to")} />
      <Choice label="Messages" id="again-kind" options={kinds} {...bind("kind")} />
    </Confirm>
  );
}
