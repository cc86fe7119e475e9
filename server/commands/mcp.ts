/** `cairn mcp`: the tools over standard input and output, for clients that start a program; they ask a running server. */

import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { fail } from "../../core/errors/fail.ts";
import { connectionOf } from "../client/connection.ts";
import { createMcpServer } from "../mcp/create-mcp-server.ts";

/** Ends when the client closes its end. Nothing but messages may be printed meanwhile. @throws ServiceError `COMMAND_INVALID` */
export async function mcpCommand(words: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<number> {
	if (words.length > 0) throw fail("COMMAND_INVALID", `"cairn mcp" takes no words; it reads CAIRN_URL, CAIRN_API_KEY and CAIRN_CONTAINER`);
	const { api, container } = connectionOf(env, "mcp");
	const server = createMcpServer({ api, space: container });
	const { promise: closed, resolve } = Promise.withResolvers<void>();
	process.stdin.once("end", resolve);
	server.server.onclose = resolve;
	await server.connect(new StdioServerTransport());
	await closed;
	return 0;
}
