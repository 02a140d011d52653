import type { registrations } from "#db/schema/sessions.ts";
import type { RegistrationView } from "./schemas.ts";

export type RegistrationRow = typeof registrations.$inferSelect;

/** A registration as its player and the admins read it. */
export function presentRegistration({ createdAt, ...row }: RegistrationRow): RegistrationView {
  return { ...row, createdAt: createdAt.toISOString() };
}
