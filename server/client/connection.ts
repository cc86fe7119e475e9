/** The server, key and container that commands use. */

import { fail } from "../../core/errors/fail.ts";
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

/** @param source the `sm_source` of added documents. @throws ServiceError `COMMAND_INVALID` */
export function connectionOf(env: Readonly<Record<string, string | undefined>>, source: string): Connection {
	const address = env[clientVariables.address] || usualAddress;
	const key = env[keyVariable];
	if (!/^https?:/.test(address) || !URL.canParse(address))
		throw fail("COMMAND_INVALID", `${clientVariables.address} is no address: ${JSON.stringify(address)}`);
	if (key === undefined || key === "") throw fail("COMMAND_INVALID", `${keyVariable} should hold a key of the server`);
	return { api: createWireApi({ send: reaching(address), address, key, source }), address, container: env[clientVariables.container] || null };
}
