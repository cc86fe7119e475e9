/** `cairn mcp` serves the MCP tools over standard input and output, for clients that start a program. The tools call a running server. */

import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
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
	await server.connect(new StdioServerTransport());
	await closed;
	return 0;
}
