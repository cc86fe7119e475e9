/** The server, key and container that commands use. */

import { fail } from "../../core/errors/fail.ts";
import { type Login, readLogin } from "./saved-login.ts";
import { createWireApi, reaching, type WireApi } from "./wire-api.ts";

/** Used only by commands; the server ignores them. */
export const clientVariables = { address: "CAIRN_URL", container: "CAIRN_CONTAINER" } as const;
/** Also read by the server, as the operator's key. */
const keyVariable = "CAIRN_API_KEY";
const usualAddress = "http://127.0.0.1:6767";

export interface Connection {
	readonly api: WireApi;
	readonly address: string;
	/** Null if none is set. */
	readonly container: string | null;
}

/** What the environment says comes before what `cairn login` has saved. @param source the `sm_source` of added documents. @throws ServiceError `COMMAND_INVALID` */
export function connectionOf(env: Readonly<Record<string, string | undefined>>, source: string): Connection {
	const login = env[keyVariable] ? null : readLogin(env);
	const address = addressOf(env, login);
	// A saved key is for the server that it was saved with: sent to another, it would be given away.
	const key = env[keyVariable] || (login !== null && new URL(login.address).origin === new URL(address).origin ? login.key : "");
	if (key === "") throw fail("COMMAND_INVALID", `there is no key for ${address}: set ${keyVariable} to a key of the server, or run "cairn login"`);
	return { api: createWireApi({ send: reaching(address), address, key, source }), address, container: env[clientVariables.container] || null };
}

/** @throws ServiceError `COMMAND_INVALID` */
export function addressOf(env: Readonly<Record<string, string | undefined>>, login: Login | null = null): string {
	const address = env[clientVariables.address] || login?.address || usualAddress;
	if (/^https?:/.test(address) && URL.canParse(address)) return address;
	throw fail("COMMAND_INVALID", `${clientVariables.address} is no address: ${JSON.stringify(address)}`);
}
