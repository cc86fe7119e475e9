/** The definition of a tool, and its registration with an MCP server. */

import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { WireApi } from "../client/wire-api.ts";

/** The API client and space that tools use. */
export interface ToolContext {
	readonly api: WireApi;
	/** The space that the connection names; null if it names none. */
	readonly space: string | null;
}

/** The result of a tool: text for a model, and data for programs. */
export interface ToolResult {
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
	readonly run: (input: z.output<z.ZodObject<Input>>, context: ToolContext) => Promise<ToolResult>;
}

/** Infers the type of `run`'s input from the schema of a tool, then returns the tool with that type erased. */
export function tool<Input extends z.ZodRawShape>(definition: Tool<Input>): Tool {
	return definition as unknown as Tool;
}

/** The default space, the same as in Supermemory's clients. */
export const defaultSpace = "sm_project_default";

export const containerTag = z
	.string()
	.regex(/^[a-zA-Z0-9_:.-]{1,128}$/)
	.optional()
	.describe("The space (container tag) to use instead of the one of this connection.");

export function registerTool(server: McpServer, { name, title, description, input, output, isReadOnly, isDestructive, run }: Tool, context: ToolContext): void {
	const annotations = { title, readOnlyHint: isReadOnly, destructiveHint: isDestructive, idempotentHint: true, openWorldHint: false };
	server.registerTool(name, { title, description, inputSchema: input, outputSchema: output, annotations }, async (input) => toCallResult(run(input, context)));
}

/** Turns errors into results that the model can read. */
async function toCallResult(result: Promise<ToolResult>): Promise<CallToolResult> {
	try {
		const { text, structured } = await result;
		return { content: [{ type: "text", text }], structuredContent: { ...structured } };
	} catch (thrown) {
		const text = `Error: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
		return { content: [{ type: "text", text }], isError: true };
	}
}
