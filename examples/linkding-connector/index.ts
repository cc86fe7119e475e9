/** Keeps the bookmarks of a linkding, a bookmark manager that people host themselves: https://linkding.link/api. */

import { type Change, type Connector, type ConnectorItem, type Cursor, definePlugin, fail, type Host, limits, type Step } from "cairn-memory";
import { z } from "zod";

const provider = "linkding";

const keys = {
	server: z.url({ protocol: /^https?$/, error: "it is required: the address of a linkding such as https://links.example.com" }),
	token: z.string({ error: "it is required: the token of the REST API" }).min(8, { error: "it has at least 8 characters" }),
	tag: z.string({ error: "it should be a tag" }).default(""),
};
const configSchema = z.object({ ...keys, documentsMax: z.number().int().min(1) });
type Config = z.infer<typeof configSchema>;

const bookmarkSchema = z.object({
	id: z.number(),
	url: z.string(),
	title: z.string(),
	description: z.string(),
	notes: z.string(),
	tag_names: z.array(z.string()),
	date_added: z.string(),
	date_modified: z.string(),
});
type Bookmark = z.infer<typeof bookmarkSchema>;
const pageSchema = z.object({ results: z.array(bookmarkSchema), next: z.string().nullable() });
const pageSize = 100;

export default definePlugin({
	name: "cairn-plugin-connect-linkding",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const connector: Connector = {
			name: provider,
			secrets: ["token"],
			syncEveryMs: 60 * 60_000,
			configure: (metadata, documentsMax) => {
				const parsed = configSchema.safeParse({ ...metadata, documentsMax });
				if (parsed.success) return parsed.data;
				const [issue] = parsed.error.issues;
				throw fail("CONNECTION_INVALID", provider, String(issue?.path[0] ?? "metadata"), issue?.message ?? "it cannot be read");
			},
			check: async (config, step) => void (await readPage(configSchema.parse(config), 0, host, step)),
			sync: (config, cursor, step) => sync(configSchema.parse(config), cursor, host, step),
		};
		return { connector: [connector] };
	},
});

/** Everything that is or may be a document, by key, with its version; empty for one that is announced and may not have been brought. */
type Known = Map<string, string>;

async function* sync(config: Config, from: Cursor | null, host: Host, step: Step): AsyncGenerator<Change> {
	const known: Known = new Map(Object.entries(z.object({ known: z.record(z.string(), z.string()) }).safeParse(from).data?.known ?? {}));
	const cursor = (): Cursor => ({ known: Object.fromEntries(known) });
	const there = await readAll(config, known, host, step);
	for (const key of [...known.keys()].filter((one) => !there.has(one))) {
		known.delete(key);
		yield { kind: "remove", key, cursor };
	}
	const changed = [...there].filter(([key, { date_modified }]) => known.get(key) !== date_modified);
	// Announced before they are brought: what is brought right before a crash, and then deleted there, is still known and removed.
	for (const [key] of changed) known.set(key, known.get(key) ?? "");
	if (changed.length > 0) yield { kind: "checkpoint", cursor };
	for (const [done, [key, bookmark]] of changed.entries()) {
		step.signal.throwIfAborted();
		step.progress({ done, total: changed.length, unit: "bookmark" });
		known.set(key, bookmark.date_modified);
		yield { kind: "put", item: itemOf(key, bookmark), cursor };
	}
}

/** Those that are documents already come first, so that a new one never drives out an old one. */
async function readAll(config: Config, known: Known, host: Host, step: Step): Promise<ReadonlyMap<string, Bookmark>> {
	const found = new Map<string, Bookmark>();
	for (let offset = 0, isLast = false; !isLast; offset += pageSize) {
		const { results, next } = await readPage(config, offset, host, step);
		for (const bookmark of results) found.set(String(bookmark.id), bookmark);
		isLast = next === null || results.length === 0;
	}
	const [old, fresh] = [[...found].filter(([key]) => known.has(key)), [...found].filter(([key]) => !known.has(key))];
	return new Map([...old, ...fresh].slice(0, config.documentsMax));
}

/** @throws ServiceError; `host.fetch` refuses inner addresses, and tells what may pass, with the pause that the server asks for */
async function readPage({ server, token, tag }: Config, offset: number, { fetch }: Host, { signal }: Step): Promise<z.infer<typeof pageSchema>> {
	const query = new URLSearchParams({ limit: String(pageSize), offset: String(offset), ...(tag !== "" && { q: `#${tag}` }) });
	const headers = { authorization: `Token ${token}` };
	const options = { signal, headers, timeoutMs: limits.fetchTimeoutMs, bytesMax: limits.fetchedBytesMax, answers: [401, 403] };
	const fetched = await fetch(`${server.replace(/\/+$/, "")}/api/bookmarks/?${query}`, options);
	if (fetched.status >= 400) throw fail("CONNECTION_UNAUTHORIZED", provider, `it answered with status ${fetched.status}`);
	try {
		return pageSchema.parse(JSON.parse(new TextDecoder().decode(fetched.bytes)));
	} catch (cause) {
		throw fail("ADDRESS_CHANGED", new URL(server).hostname, "its answer is no list of bookmarks").because(cause);
	}
}

function itemOf(key: string, { url, title, description, notes, tag_names, date_added, date_modified }: Bookmark): ConnectorItem {
	const text = [`# ${title === "" ? url : title}`, url, description, notes].filter((part) => part !== "").join("\n\n");
	return {
		key,
		content: { kind: "text", text, mediaType: "text/markdown" },
		title: title === "" ? null : title,
		metadata: { url, tags: tag_names, createdAt: date_added, updatedAt: date_modified },
		containerTag: null,
	};
}
