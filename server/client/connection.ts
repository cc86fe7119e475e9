/** The connection of a command to a server: URL, API key and default container, from environment variables. */

import { fail } from "../../core/errors/fail.ts";
import { clientVariables } from "./client-variables.ts";
import { type Login, readLogin } from "./saved-login.ts";
import { createWireApi, networkSender, type WireApi } from "./wire-api.ts";

/** The server reads this variable too: as the operator's key. */
const apiKeyVariable = "CAIRN_API_KEY";
const defaultUrl = "http://127.0.0.1:6767";

export interface Connection {
	readonly api: WireApi;
	readonly url: string;
	/** The container that commands use by default; null if none is set. */
	readonly container: string | null;
}

/** Environment variables take precedence over what `cairn login` has saved. @param source the `sm_source` of added documents. @throws ServiceError `COMMAND_INVALID` */
export function connectionOf(env: Readonly<Record<string, string | undefined>>, source: string): Connection {
	const login = env[apiKeyVariable] ? null : readLogin(env);
	const url = serverUrlOf(env, login);
	// A saved key is sent only to the server with which it was saved: to another it would be given away.
	const key = env[apiKeyVariable]?.trim() || (login !== null && new URL(login.url).origin === new URL(url).origin ? login.key : "");
	if (key === "") throw fail("COMMAND_INVALID", `there is no API key for ${url}: set ${apiKeyVariable}, or run "cairn login"`);
	checkKey(key);
	return {
		api: createWireApi({ send: networkSender(url), baseUrl: url, key, source, waitsForRate: true }),
		url,
		container: env[clientVariables.container] || null,
	};
}

/** @throws ServiceError `COMMAND_INVALID` for a key that cannot be sent, such as two lines of a file */
export function checkKey(key: string): void {
	if (!/^[\x21-\x7e]+$/.test(key)) throw fail("COMMAND_INVALID", "the API key has characters that no key has: spaces, line breaks or letters with accents");
}

/** @throws ServiceError `COMMAND_INVALID` */
export function serverUrlOf(env: Readonly<Record<string, string | undefined>>, login: Login | null = null): string {
	const url = env[clientVariables.address] || login?.url || defaultUrl;
	if (/^https?:/.test(url) && URL.canParse(url)) return url;
	throw fail("COMMAND_INVALID", `${clientVariables.address} is not an http or https URL: ${JSON.stringify(url)}`);
}
