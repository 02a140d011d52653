/** The text of what asks for the password again. */
export const currentPassword = "Current password";
