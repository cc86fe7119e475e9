/** The MCP resources, and the prompt that adds the profile of a space to a conversation. */

import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { WireError } from "../client/wire-api.ts";
import { documentTools } from "./document-tools.ts";
import { profileLines, readProfile } from "./profile.ts";
import { readSpaces, spaceLine } from "./space-tools.ts";
import { defaultSpace, type ToolContext } from "./tool.ts";

/** The protocol's code for a resource that does not exist; the SDK has no name for it. */
const resourceMissing = -32002;
const plainText = "text/plain";
const resourceFactsMax = 12;
const promptFactsMax = 8;
const promptSpacesMax = 3;
const documentsListed = 50;

const documentList = z.object({ memories: z.array(z.object({ id: z.string(), title: z.string().nullish() })) });

export function registerResources(server: McpServer, context: ToolContext): void {
	server.registerResource(
		"profile",
		"supermemory://profile",
		{ title: "Active Space Profile", description: "What is known, as lines of text.", mimeType: plainText },
		async (uri) => {
			const lines = [`Space: ${context.space ?? defaultSpace}`, ...profileLines(await readProfile(context), resourceFactsMax)];
			return { contents: [{ uri: uri.href, mimeType: plainText, text: lines.join("\n") }] };
		},
	);
	server.registerResource(
		"spaces",
		"supermemory://spaces",
		{ title: "My Spaces", description: "The spaces that this key may see.", mimeType: plainText },
		async (uri) => ({
			contents: [{ uri: uri.href, mimeType: plainText, text: (await readSpaces(context)).map(spaceLine).join("\n") }],
		}),
	);
	const template = new ResourceTemplate("supermemory://documents/{id}", { list: async () => ({ resources: await recentDocuments(context) }) });
	server.registerResource(
		"document",
		template,
		{ title: "Document", description: "The text of a stored document.", mimeType: plainText },
		async (uri, { id }) => {
			const getDocument = documentTools.find(({ name }) => name === "getDocument");
			const result = await getDocument?.run({ documentId: String(id) }, context).catch((thrown: unknown) => {
				throw thrown instanceof WireError && thrown.status === 404 ? new McpError(resourceMissing, thrown.message) : thrown;
			});
			return { contents: [{ uri: uri.href, mimeType: plainText, text: result?.text ?? "" }] };
		},
	);
}

async function recentDocuments({ api, space }: ToolContext) {
	const filter = space === null ? {} : { containerTags: [space] };
	const { memories } = documentList.parse(await api.ask("POST", "/v3/documents/list", { page: 1, limit: documentsListed, ...filter }));
	return memories.map(({ id, title }) => ({ uri: `supermemory://documents/${id}`, name: title ?? id, mimeType: plainText }));
}

export function registerPrompt(server: McpServer, context: ToolContext): void {
	const argsSchema = { containerTag: z.string().optional().describe("The space to read; by default the space of this connection.") };
	server.registerPrompt(
		"context",
		{ title: "Load what is known", description: "Adds the profile of a space to the start of a conversation.", argsSchema },
		async ({ containerTag }) => {
			const [profile, spaces] = await Promise.all([readProfile(context, containerTag), readSpaces(context)]);
			const recent = spaces.toSorted((a, b) => (b.lastActivityAt ?? "").localeCompare(a.lastActivityAt ?? "")).slice(0, promptSpacesMax);
			const facts = profileLines(profile, promptFactsMax);
			const lines = [
				`Space: ${containerTag ?? context.space ?? defaultSpace}`,
				...(facts.length === 0
					? ["Nothing is known yet. Save what is worth remembering with add_memory."]
					: ["This is known; take it into account.", ...facts]),
				...(recent.length === 0 ? [] : ["Recent spaces:", ...recent.map(spaceLine)]),
			];
			return { messages: [{ role: "user", content: { type: "text", text: lines.join("\n") } }] };
		},
	);
}
