/** `cairn mcp`: the same tools over standard input and output, for clients that start a program; they ask a running server. */

import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { fail } from "../../core/errors/fail.ts";
import { createMcpServer } from "../mcp/create-mcp-server.ts";
import { createWireApi } from "../mcp/wire-api.ts";

const usualAddress = "http://127.0.0.1:6767";

/**
 * Ends when the client closes its end. Nothing but messages may be printed meanwhile.
 * @param env `CAIRN_URL`, `CAIRN_API_KEY`, and `CAIRN_CONTAINER` for the space that the tools use
 * @throws ServiceError `COMMAND_INVALID`
 */
export async function mcpCommand(words: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<number> {
	if (words.length > 0) throw fail("COMMAND_INVALID", `"cairn mcp" takes no words; it reads CAIRN_URL, CAIRN_API_KEY and CAIRN_CONTAINER`);
	const address = env["CAIRN_URL"] ?? usualAddress;
	const key = env["CAIRN_API_KEY"];
	if (!URL.canParse(address)) throw fail("COMMAND_INVALID", `CAIRN_URL is no address: ${JSON.stringify(address)}`);
	if (key === undefined || key === "") throw fail("COMMAND_INVALID", "CAIRN_API_KEY should hold a key of the server");
	const server = createMcpServer({ api: createWireApi(reachable(address), address, `Bearer ${key}`), space: env["CAIRN_CONTAINER"] ?? null });
	const { promise: closed, resolve } = Promise.withResolvers<void>();
	process.stdin.once("end", resolve);
	server.server.onclose = resolve;
	await server.connect(new StdioServerTransport());
	await closed;
	return 0;
}

/** A server that is not there is named: the model can tell the person what to start. */
function reachable(address: string): (request: Request) => Promise<Response> {
	return async (request) => {
		try {
			return await fetch(request);
		} catch (thrown) {
			throw new Error(`no Cairn server answers at ${address}: start one, or set CAIRN_URL`, { cause: thrown });
		}
	};
}
