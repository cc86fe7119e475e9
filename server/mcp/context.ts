/** The resources, and the prompt that adds the profile to a conversation. */

import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { documentTools } from "./document-tools.ts";
import { profileLines, readProfile } from "./profile.ts";
import { readSpaces, spaceLine } from "./space-tools.ts";
import { defaultSpace, type ToolContext } from "./tool.ts";

const text = "text/plain";
const resourceFactsMax = 12;
const promptFactsMax = 8;
const promptSpacesMax = 3;
const documentsListed = 50;

const listed = z.object({ memories: z.array(z.object({ id: z.string(), title: z.string().nullish() })) });

export function offerResources(server: McpServer, context: ToolContext): void {
	server.registerResource(
		"profile",
		"supermemory://profile",
		{ title: "Active Space Profile", description: "What is known, as lines of text.", mimeType: text },
		async (uri) => {
			const lines = [`Space: ${context.space ?? defaultSpace}`, ...profileLines(await readProfile(context), resourceFactsMax)];
			return { contents: [{ uri: uri.href, mimeType: text, text: lines.join("\n") }] };
		},
	);
	server.registerResource(
		"spaces",
		"supermemory://spaces",
		{ title: "My Spaces", description: "The spaces that this key may see.", mimeType: text },
		async (uri) => ({
			contents: [{ uri: uri.href, mimeType: text, text: (await readSpaces(context)).map(spaceLine).join("\n") }],
		}),
	);
	const template = new ResourceTemplate("supermemory://documents/{id}", { list: async () => ({ resources: await recentDocuments(context) }) });
	server.registerResource("document", template, { title: "Document", description: "The text of a stored document.", mimeType: text }, async (uri, { id }) => {
		const read = documentTools.find(({ name }) => name === "getDocument");
		const answer = await read?.run({ documentId: String(id) }, context);
		return { contents: [{ uri: uri.href, mimeType: text, text: answer?.text ?? "" }] };
	});
}

async function recentDocuments({ api, space }: ToolContext) {
	const within = space === null ? {} : { containerTags: [space] };
	const { memories } = listed.parse(await api.ask("POST", "/v3/documents/list", { page: 1, limit: documentsListed, ...within }));
	return memories.map(({ id, title }) => ({ uri: `supermemory://documents/${id}`, name: title ?? id, mimeType: text }));
}

export function offerPrompt(server: McpServer, context: ToolContext): void {
	const argsSchema = { containerTag: z.string().optional().describe("The space to read; that of this connection where it is left out.") };
	server.registerPrompt(
		"context",
		{ title: "Load what is known", description: "Puts the profile of a space in front of a conversation.", argsSchema },
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
