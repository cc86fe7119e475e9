/** One request of the Streamable HTTP transport, answered without a session: any node answers any request. */

import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { fail } from "../../core/errors/fail.ts";
import { createMcpServer } from "./create-mcp-server.ts";
import type { ToolContext } from "./tool.ts";

/** Older versions of the protocol allow several messages at once; each may be a search. */
const messagesMax = 20;

/** @param body of the request, which has been read. @throws ServiceError `INPUT_INVALID` for too many messages at once */
export async function answerMcp(request: Request, body: Uint8Array, context: ToolContext): Promise<Response> {
	const messages = parsed(body);
	if (Array.isArray(messages) && messages.length > messagesMax) throw fail("INPUT_INVALID", `a request should hold no more than ${messagesMax} messages`);
	const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
	const server = createMcpServer(context);
	await server.connect(transport);
	try {
		// The transport responds to invalid JSON.
		if (messages !== undefined) return await transport.handleRequest(request, { parsedBody: messages });
		return await transport.handleRequest(new Request(request.url, { method: request.method, headers: request.headers, body: body.slice() }));
	} finally {
		await server.close();
	}
}

function parsed(body: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(body));
	} catch {
		return undefined;
	}
}
