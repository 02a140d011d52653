/** The path names a session by its slug or its id. */
export const slugOrId = { id: "text" } as const;

/** An endpoint for who runs the session that its path names. */
export const forHosts = { who: "host", session: "id", params: slugOrId } as const;
