/** These environment variables are read only by commands; the server ignores them. */
export const clientVariables = { address: "CAIRN_URL", container: "CAIRN_CONTAINER" } as const;
