import { type ActionFunctionArgs, data } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { momentIn } from "#client/base/format/field-time.ts";
import { apiContext } from "#client/base/page/context.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

const fields = { intent: "text", id: "text", name: "text", startsAt: "text", endsAt: "text" } as const;
type Sent = ReturnType<typeof readForm<typeof fields>>;

/** A refusal, which form it belongs to, and what was typed. */
export type SeasonsRefusal = Refused & Sent;

/** What the page says afterwards, by intent. */
const doneBy: Readonly<Record<string, string>> = {
  add: "added",
  change: "changed",
  end: "ended",
  remove: "removed",
};

/** Does what one of the page's forms asks for. */
export async function actOnSeasons({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const sent = readForm(form, fields);
  const { name } = sent;
  const terms = { name, startsAt: momentIn(form, "starts_at"), endsAt: momentIn(form, "ends_at") };
  try {
    await actOn(context.get(apiContext), sent, terms);
    return seeOther(`/admin/seasons?done=${doneBy[sent.intent] ?? ""}`);
  } catch (error) {
    return refuseForm<SeasonsRefusal>(error, sent);
  }
}

type Terms = { name: string; startsAt: string | null; endsAt: string | null };

async function actOn(api: Api, { intent, id }: Sent, season: Terms): Promise<void> {
  const path = `/api/v1/seasons/${encodeURIComponent(id)}` as const;
  if (intent === "add") await api.post("/api/v1/seasons", { season });
  else if (intent === "change") await api.patch(path, { season });
  else if (intent === "end") await api.put(`${path}/end`);
  else if (intent === "remove") await api.delete(path);
  else throw data(null, { status: 400 });
}
