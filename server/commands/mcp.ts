/** `cairn mcp` serves the MCP tools over standard input and output, for clients that start a program. The tools call a running server. */

import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { isJSONRPCRequest, type RequestId } from "@modelcontextprotocol/sdk/types.js";
import { fail } from "../../core/errors/fail.ts";
import { connectionOf } from "../client/connection.ts";
import { createMcpServer } from "../mcp/create-mcp-server.ts";

/** Runs until the client closes standard input. Only protocol messages may be written to standard output. @throws ServiceError `COMMAND_INVALID` */
export async function mcpCommand(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<number> {
	if (args.length > 0) throw fail("COMMAND_INVALID", `"cairn mcp" takes no arguments; it reads CAIRN_URL, CAIRN_API_KEY and CAIRN_CONTAINER`);
	const { api, container } = connectionOf(env, "mcp");
	const server = createMcpServer({ api, space: container });
	const { promise: closed, resolve } = Promise.withResolvers<void>();
	process.stdin.once("end", resolve);
	server.server.onclose = resolve;
	const transport = new StdioServerTransport();
	await server.connect(transport);
	const answered = watchAnswers(transport);
	await closed;
	await answered();
	return 0;
}

/** @returns a wait until every request that has come is answered: who pipes requests in closes standard input behind the last of them */
function watchAnswers(transport: Transport): () => Promise<void> {
	const open = new Set<RequestId>();
	let whenEmpty = () => {};
	const { onmessage } = transport;
	const send = transport.send.bind(transport);
	transport.onmessage = (message, extra) => {
		if (isJSONRPCRequest(message)) open.add(message.id);
		onmessage?.(message, extra);
	};
	transport.send = async (message, options) => {
		await send(message, options);
		if ("id" in message && !("method" in message) && message.id !== undefined) open.delete(message.id);
		if (open.size === 0) whenEmpty();
	};
	return async () => {
		if (open.size === 0) return;
		await new Promise<void>((resolve) => {
			whenEmpty = resolve;
		});
	};
}
