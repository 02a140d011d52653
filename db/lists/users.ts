export const roles = ["admin", "operator"] as const;
export type Role = (typeof roles)[number];
