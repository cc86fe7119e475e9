/** What a tool is, and how it is offered to clients of the Model Context Protocol. */

import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { WireApi } from "../client/wire-api.ts";

/** Whom the tools act for, and where. */
export interface ToolContext {
	readonly api: WireApi;
	/** The space that the connection names; null for one that names none. */
	readonly space: string | null;
}

/** The result as text for a model, and as data for programs. */
export interface ToolAnswer {
	readonly text: string;
	readonly structured: Readonly<Record<string, unknown>>;
}

export interface Tool<Input extends z.ZodRawShape = z.ZodRawShape> {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly input: Input;
	readonly output: z.ZodRawShape;
	readonly isReadOnly: boolean;
	/** Whether it may remove something. */
	readonly isDestructive: boolean;
	readonly run: (input: z.output<z.ZodObject<Input>>, context: ToolContext) => Promise<ToolAnswer>;
}

/** Keeps the type of the input for `run`. */
export function tool<Input extends z.ZodRawShape>(described: Tool<Input>): Tool {
	return described as unknown as Tool;
}

/** The default space, the same as in Supermemory's clients. */
export const defaultSpace = "sm_project_default";

export const containerTag = z
	.string()
	.regex(/^[a-zA-Z0-9_:.-]{1,128}$/)
	.optional()
	.describe("The space (container tag) to use instead of the one of this connection.");

export function offer(server: McpServer, { name, title, description, input, output, isReadOnly, isDestructive, run }: Tool, context: ToolContext): void {
	const annotations = { title, readOnlyHint: isReadOnly, destructiveHint: isDestructive, idempotentHint: true, openWorldHint: false };
	server.registerTool(name, { title, description, inputSchema: input, outputSchema: output, annotations }, async (given) => answered(run(given, context)));
}

/** Errors become results that the model can read. */
async function answered(answer: Promise<ToolAnswer>): Promise<CallToolResult> {
	try {
		const { text, structured } = await answer;
		return { content: [{ type: "text", text }], structuredContent: { ...structured } };
	} catch (thrown) {
		const text = `Error: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
		return { content: [{ type: "text", text }], isError: true };
	}
}
