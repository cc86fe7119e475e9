/** Small files in the shapes that other programs export, made up by hand. Each comment names where its shape is described. */

/**
 * ChatGPT's `conversations.json`: https://github.com/mitkury/chatgpt-export-parser (docs/chatgpt-data-export-format.md). A regenerated
 * answer is a second child; `current_node` leads to the branch that was shown.
 */
const node = (id: string, parent: string | null, children: readonly string[], message: object | null) => ({ [id]: { id, parent, children, message } });
const said = (id: string, role: string, text: unknown, more: object = {}) => ({
	id,
	author: { role, name: null, metadata: {} },
	create_time: 1_730_000_000.5,
	update_time: null,
	content: { content_type: "text", parts: [text] },
	status: "finished_successfully",
	end_turn: true,
	weight: 1,
	metadata: {},
	recipient: "all",
	...more,
});

export const chatgptConversations = [
	{
		title: "Moving to Lisbon",
		create_time: 1_730_000_000.25,
		update_time: 1_730_000_100.75,
		mapping: {
			...node("root", null, ["sys"], null),
			...node("sys", "root", ["custom"], said("sys", "system", "", { metadata: { is_visually_hidden_from_conversation: true } })),
			...node("custom", "sys", ["ask"], said("custom", "user", "About me: I am tall", { metadata: { is_user_system_message: true } })),
			...node("ask", "custom", ["old", "call"], said("ask", "user", "My name is Ana and I moved to Lisbon.")),
			...node("old", "ask", [], said("old", "assistant", "An answer that was thrown away.")),
			...node("call", "ask", ["tool"], said("call", "assistant", "search(lisbon)", { recipient: "web" })),
			...node("tool", "call", ["thought"], said("tool", "tool", "found it")),
			...node("thought", "tool", ["answer"], said("thought", "assistant", "hm", { content: { content_type: "thoughts", thoughts: [] } })),
			...node("answer", "thought", ["picture"], said("answer", "assistant", "Welcome to Lisbon, Ana.")),
			...node(
				"picture",
				"answer",
				[],
				said("picture", "user", "", {
					content: { content_type: "multimodal_text", parts: [{ content_type: "image_asset_pointer", asset_pointer: "x" }, "What is in this picture?"] },
				}),
			),
		},
		moderation_results: [],
		current_node: "picture",
		conversation_id: "0b7c1f5e-2222-4c4c-8888-aaaaaaaaaaaa",
		id: "0b7c1f5e-2222-4c4c-8888-aaaaaaaaaaaa",
		is_archived: false,
	},
	{ title: "Empty", create_time: 1, update_time: 1, mapping: { ...node("root", null, [], null) }, current_node: "root", conversation_id: "empty" },
];

/** Claude's `conversations.json`: https://github.com/Sinity/polylogue (docs/providers/claude-ai.md) and other readers of the same file. */
export const claudeConversations = [
	{
		uuid: "5f2f3a4e-1111-4d4d-9999-bbbbbbbbbbbb",
		name: "The red boat",
		created_at: "2026-03-04T12:00:00.000000Z",
		updated_at: "2026-03-04T12:10:00.000000Z",
		account: { uuid: "acc" },
		chat_messages: [
			{
				uuid: "m1",
				text: "Ben: I bought a red boat.",
				content: [{ type: "text", text: "Ben: I bought a red boat.", citations: [] }],
				sender: "human",
				created_at: "2026-03-04T12:00:00.000000Z",
				attachments: [{ file_name: "boat.txt", file_type: "text/plain", file_size: 20, extracted_content: "It is nine metres long." }],
				files: [{ file_name: "photo.png" }],
			},
			{
				uuid: "m2",
				text: "",
				content: [
					{ type: "thinking", thinking: "a boat" },
					{ type: "text", text: "Nine metres, then." },
					{ type: "tool_use", name: "search", input: {} },
				],
				sender: "assistant",
				attachments: [],
				files: [],
			},
		],
	},
	{ uuid: "empty", name: "", created_at: "2026-03-04T12:00:00Z", updated_at: "2026-03-04T12:00:00Z", account: {}, chat_messages: [] },
];

/** mem0, `get_all` and one memory of it: https://docs.mem0.ai/api-reference/memory/get-memory */
export const mem0Memories = {
	results: [
		{
			id: "3c90c3cc-0d44-4b50-8888-8dd25736052a",
			memory: "Ana prefers window seats",
			user_id: "ana@example.com",
			hash: "abc",
			metadata: { category: "travel", nested: { a: 1 }, list: ["x", "y"], nothing: null },
			categories: ["travel"],
			created_at: "2026-01-02T03:04:05.678Z",
			updated_at: "2026-01-02T03:04:05.678Z",
		},
		{
			id: "3c90c3cc-0d44-4b50-8888-8dd25736052b",
			memory: "Ana is allergic to latex",
			user_id: "ana@example.com",
			hash: "def",
			metadata: null,
			created_at: "2026-01-03T03:04:05Z",
		},
	],
};

/** Zep's edges and Graphiti's: https://help.getzep.com/sdk-reference/graph/edge/get-edge.md and graphiti_core/edges.py of getzep/graphiti. */
export const zepGraph = {
	nodes: [
		{ uuid: "n1", name: "Ana", group_id: "ana" },
		{ uuid: "n2", name: "Lisbon", group_id: "ana" },
	],
	edges: [
		{
			uuid: "e1",
			group_id: "ana",
			name: "LIVES_IN",
			fact: "Ana lives in Lisbon",
			source_node_uuid: "n1",
			target_node_uuid: "n2",
			episodes: ["p1"],
			created_at: "2026-02-01T00:00:00Z",
			valid_at: "2026-01-15T00:00:00Z",
			invalid_at: null,
			expired_at: null,
			fact_embedding: [0.1, 0.2],
			attributes: { certainty: "high" },
		},
		{
			uuid: "e2",
			group_id: "ana",
			name: "LIVES_IN",
			fact: "Ana lives in Ulm",
			source_node_uuid: "n1",
			target_node_uuid: "n3",
			created_at: "2025-01-01T00:00:00Z",
			valid_at: "2025-01-01T00:00:00Z",
			invalid_at: "2026-01-15T00:00:00Z",
		},
	],
	episodes: [
		{
			uuid: "p1",
			name: "message 1",
			group_id: "ana",
			source: "message",
			source_description: "chat",
			content: "Ana: I moved to Lisbon.",
			created_at: "2026-02-01T00:00:00Z",
			valid_at: "2026-01-31T00:00:00Z",
		},
	],
};

/** Supermemory's OpenAPI description: the answers of `POST /v3/documents/list` with `includeContent`, and of `POST /v4/memories/list`. */
export const supermemoryAnswers = {
	memories: [
		{
			id: "acxV5LHMEsG2hMSNb4umbn",
			customId: "doc-api-limits",
			content: "The API takes 100 requests a minute.",
			title: "Limits",
			containerTags: ["ana", "team"],
			metadata: { source: "upload", n: 3 },
			status: "done",
			type: "text",
			url: null,
			createdAt: "2026-01-01T00:00:00.000Z",
			updatedAt: "2026-01-01T00:00:00.000Z",
		},
		{
			id: "bcxV5LHMEsG2hMSNb4umbn",
			customId: null,
			content: "A second document.",
			title: null,
			containerTags: [],
			metadata: null,
			status: "done",
			type: "text",
			createdAt: "2026-01-01T00:00:00.000Z",
			updatedAt: "2026-01-01T00:00:00.000Z",
		},
		{
			id: "ccxV5LHMEsG2hMSNb4umbn",
			customId: null,
			title: "Only its name",
			containerTags: [],
			metadata: null,
			status: "done",
			type: "text",
			createdAt: "2026-01-01T00:00:00.000Z",
		},
	],
	memoryEntries: [
		{
			id: "mem1",
			memory: "Ana speaks Portuguese",
			version: 2,
			isLatest: true,
			isForgotten: false,
			spaceContainerTag: "ana",
			metadata: { mood: "glad" },
			temporalContext: { documentDate: "2026-01-05", eventDate: ["2026-01-04"] },
			history: [],
			createdAt: "2026-01-05T00:00:00.000Z",
		},
		{
			id: "mem0",
			memory: "Ana speaks little",
			version: 1,
			isLatest: false,
			isForgotten: false,
			spaceContainerTag: "ana",
			metadata: null,
			createdAt: "2026-01-05T00:00:00.000Z",
		},
		{
			id: "mem2",
			memory: "Ana is forgotten",
			version: 1,
			isLatest: true,
			isForgotten: true,
			spaceContainerTag: "ana",
			metadata: null,
			createdAt: "2026-01-05T00:00:00.000Z",
		},
	],
};

/** An Obsidian vault: front matter as https://help.obsidian.md/properties describes it, wiki links as https://help.obsidian.md/links. */
export const vault: Readonly<Record<string, string>> = {
	"Boats/Red boat.md":
		'---\ntags: [boat, red]\ncreated: 2026-02-03\nlength: 9\naliases:\n  - "The *Heron*"\n---\n# The red boat\n\nMoored beside [[Harbour|the harbour]], near the heron.\n',
	"Harbour.md": "No front matter here. See [[Red boat]].\n",
	"Odd.md": "---\n: : not yaml [\n---\nThe bittern calls.\n",
	".obsidian/app.md": "settings",
	"Boats/photo.png": "no note",
};

/** Notion's export as Markdown and CSV, unpacked: https://github.com/unsw-wrl/notion-export-cleaning-filenames and other tools that clean it. */
export const notionPages: Readonly<Record<string, string>> = {
	"Harbour 8c14a3b7b53f4b908b0f8db1eaa2fb87.md": "# Harbour\n\nCreated: March 4, 2026\n\nThe ferry sails at nine.\n",
	"Harbour 8c14a3b7b53f4b908b0f8db1eaa2fb87/Boats 1c14a3b7b53f4b908b0f8db1eaa2fb87.csv": "Name,Length\nHeron,9\n",
	"Harbour 8c14a3b7b53f4b908b0f8db1eaa2fb87/Boats 1c14a3b7b53f4b908b0f8db1eaa2fb87_all.csv": "Name,Length\nHeron,9\nBittern,7\n",
	"Harbour 8c14a3b7b53f4b908b0f8db1eaa2fb87/Boats 1c14a3b7b53f4b908b0f8db1eaa2fb87/Heron 2c14a3b7b53f4b908b0f8db1eaa2fb87.md": "# Heron\n\nIt is green.\n",
	"index.html": "<p>no page</p>",
};
