/** The connection of a command to a server: URL, API key and default container, from environment variables. */

import { fail } from "../../core/errors/fail.ts";
import { createWireApi, networkSender, type WireApi } from "./wire-api.ts";

/** These environment variables are read only by commands; the server ignores them. */
export const clientVariables = { address: "CAIRN_URL", container: "CAIRN_CONTAINER" } as const;
/** The server reads this variable too: as the operator's key. */
const apiKeyVariable = "CAIRN_API_KEY";
const defaultUrl = "http://127.0.0.1:6767";

export interface Connection {
	readonly api: WireApi;
	readonly url: string;
	/** The container that commands use by default; null if none is set. */
	readonly container: string | null;
}

/** @param source the `sm_source` of added documents. @throws ServiceError `COMMAND_INVALID` */
export function connectionOf(env: Readonly<Record<string, string | undefined>>, source: string): Connection {
	const url = env[clientVariables.address] || defaultUrl;
	const key = env[apiKeyVariable];
	if (!/^https?:/.test(url) || !URL.canParse(url))
		throw fail("COMMAND_INVALID", `${clientVariables.address} is not an http or https URL: ${JSON.stringify(url)}`);
	if (key === undefined || key === "") throw fail("COMMAND_INVALID", `${apiKeyVariable} is not set: it should be an API key of the server`);
	return { api: createWireApi({ send: networkSender(url), baseUrl: url, key, source }), url, container: env[clientVariables.container] || null };
}
