import { data, type LoaderFunctionArgs, redirect } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { refusedInForm } from "#client/ui/forms/refused-in-form.ts";
import type { CodedSession } from "#src/show/join-codes/schemas.ts";

export type CodeData = {
  /** What was typed, or came with a link. */
  typed: string;
  /** The session of the code; null before one was typed, and for a wrong one. */
  session: CodedSession | null;
  /** What is wrong with the code. */
  refusal: string | null;
};

/** Finds the session of the code in the address. Who can open it already is taken to its Action screen. */
export async function loadCode({ context, request }: LoaderFunctionArgs) {
  const typed = new URL(request.url).searchParams.get("code");
  if (typed === null) return data<CodeData>({ typed: "", session: null, refusal: null });
  try {
    const path = `/api/v1/join_codes/${encodeURIComponent(typed.trim() || " ")}` as const;
    const { session } = await context.get(apiContext).get(path, { signal: request.signal });
    if (session.entered) throw redirect(`/sessions/${session.slug}`);
    return data<CodeData>({ typed, session, refusal: null });
  } catch (error) {
    if (error instanceof Response) throw error;
    const { refusal, status } = refusedInForm(error);
    return data<CodeData>({ typed, session: null, refusal }, { status });
  }
}
