/** A small service of notes on this machine, and the connector that reads it: what an author of a connector writes. */

import { createServer } from "node:http";
import { type Change, type Connector, definePlugin, fail, type Step } from "cairn-memory";
import { z } from "zod";

export interface NotesService {
	readonly host: string;
	readonly token: string;
	/** By id. */
	readonly notes: Map<string, { readonly title: string; readonly text: string }>;
	/** What it answers instead, while it is not null. */
	trouble: number | null;
	readonly close: () => void;
}

export async function startNotesService(notes: Readonly<Record<string, { readonly title: string; readonly text: string }>>): Promise<NotesService> {
	const token = "ntn-secret-of-the-notes";
	const server = createServer((request, response) => {
		if (service.trouble !== null) return response.writeHead(service.trouble).end();
		if (request.headers.authorization !== `Bearer ${service.token}`) return response.writeHead(401).end();
		const list = [...service.notes].map(([id, note]) => ({ id, ...note }));
		return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(list));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	const service: NotesService = { host, token, notes: new Map(Object.entries(notes)), trouble: null, close };
	return service;
}

const metadataSchema = z.object({
	token: z.string().min(8),
	host: z.string().min(1),
	documentsMax: z.number().int(),
	only: z.array(z.string()).nullable().default(null),
});
const notesSchema = z.array(z.object({ id: z.string(), title: z.string(), text: z.string() }));

/** @param provider the name it takes over, `notion` say */
export const notesConnector = definePlugin({
	name: "notes-connector",
	contract: 1,
	options: z.strictObject({ provider: z.string() }),
	start({ provider }, host) {
		async function read({ token, host: place }: z.infer<typeof metadataSchema>, { signal }: Step) {
			const headers = { authorization: `Bearer ${token}` };
			const answer = await host.fetch(`http://${place}/notes`, { signal, bytesMax: 1_000_000, timeoutMs: 5_000, headers, answers: [401, 429] });
			if (answer.status === 401) throw fail("CONNECTION_UNAUTHORIZED", provider, "the token is not known");
			if (answer.status === 429) throw fail("ADDRESS_FAILED", place, "it answered with status 429");
			return notesSchema.parse(JSON.parse(new TextDecoder().decode(answer.bytes)));
		}
		const connector: Connector = {
			name: provider,
			secrets: ["token"],
			syncEveryMs: 3_600_000,
			configure: (metadata, documentsMax) => {
				const config = metadataSchema.safeParse({ ...metadata, documentsMax });
				if (!config.success) throw fail("CONNECTION_INVALID", provider, String(config.error.issues[0]?.path.join(".")), "it is required");
				return config.data;
			},
			resources: {
				list: async (config, { page, perPage }, step) => {
					const notes = await read(metadataSchema.parse(config), step);
					return { resources: notes.slice((page - 1) * perPage, page * perPage).map(({ id, title }) => ({ id, title })), total: notes.length };
				},
				choose: (config, chosen) => ({ ...config, only: chosen.map(({ id }) => String(id)) }),
			},
			check: async (config, step) => void (await read(metadataSchema.parse(config), step)),
			async *sync(given, cursor, step): AsyncGenerator<Change> {
				const config = metadataSchema.parse(given);
				const known = new Map(Object.entries(z.object({ known: z.record(z.string(), z.string()) }).safeParse(cursor).data?.known ?? {}));
				const { only } = config;
				const notes = (await read(config, step)).filter(({ id }) => only === null || only.includes(id)).slice(0, config.documentsMax);
				const at = () => {
					const kept = { known: Object.fromEntries(known) };
					return () => kept;
				};
				for (const id of [...known.keys()].filter((one) => !notes.some((note) => note.id === one))) {
					known.delete(id);
					yield { kind: "remove", key: id, cursor: at() };
				}
				for (const { id, title, text } of notes.filter((note) => known.get(note.id) !== note.text)) {
					known.set(id, text);
					const content = { kind: "text", text, mediaType: "text/plain" } as const;
					yield { kind: "put", item: { key: id, content, title, metadata: { note: id }, containerTag: null }, cursor: at() };
				}
			},
		};
		return { connector: [connector] };
	},
});
