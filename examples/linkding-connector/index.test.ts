/** The connector passes the contract tests, against a linkding in a few lines. */

import { expect, test } from "bun:test";
import { fail, type GuardedFetch, type Log, parseMediaType, type Step } from "cairn-memory";
import { type ConnectorScene, connectorContract, partOf, pluginContract, quietHost, quietStep } from "cairn-memory/contract";
import linkding from "./index.ts";

interface Bookmark {
	title: string;
	notes: string;
	modified: string;
}

const token = "token-of-the-linkding";

/** A host whose network is one linkding. */
function far(bookmarks: Map<number, Bookmark>) {
	const state = { isStalled: false, asked: 0 };
	const fetch: GuardedFetch = async (address, { signal, headers }) => {
		signal.throwIfAborted();
		state.asked++;
		if (state.isStalled) await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
		const url = new URL(address);
		if (url.pathname !== "/api/bookmarks/") throw fail("ADDRESS_REFUSED", address, 404);
		const [limit, offset] = [Number(url.searchParams.get("limit")), Number(url.searchParams.get("offset"))];
		const all = [...bookmarks].map(([id, { title, notes, modified }]) => ({
			...{ id, url: `https://harbour.example/${id}`, title, description: "", notes, tag_names: ["harbour"] },
			...{ date_added: "2026-01-01T09:00:00Z", date_modified: modified },
		}));
		const next = offset + limit < all.length ? "https://elsewhere.example/next" : null;
		const isKnown = headers?.["authorization"] === `Token ${token}`;
		const bytes = new TextEncoder().encode(JSON.stringify(isKnown ? { results: all.slice(offset, offset + limit), next } : {}));
		const about = { headers: new Map(), claimedMediaType: parseMediaType("application/json"), charset: null, fileName: null };
		return { address: url, status: isKnown ? 200 : 401, bytes, ...about };
	};
	return { state, start: (log: Log) => partOf(linkding(), "connector", { ...quietHost(), log, fetch }) };
}

const bookmark = (notes: string, modified = "2026-03-01T10:00:00Z"): Bookmark => ({ title: "Tides", notes, modified });

async function scene(): Promise<ConnectorScene> {
	const bookmarks = new Map([1, 2, 3].map((id) => [id, bookmark(`notes of ${id}`)]));
	const { state, start } = far(bookmarks);
	const metadata = { server: "https://links.example", token };
	return {
		start,
		metadata,
		nonsense: [
			{ metadata: { token }, key: "server" },
			{ metadata: { ...metadata, server: "links" }, key: "server" },
			{ metadata: { ...metadata, token: "short" }, key: "token" },
		],
		refused: { ...metadata, token: "token-of-another" },
		there: () => new Map([...bookmarks].map(([id, { notes }]) => [String(id), notes])),
		change: async () => {
			bookmarks.set(1, bookmark("other notes", "2026-03-02T10:00:00Z"));
			bookmarks.set(4, bookmark("notes of 4"));
			bookmarks.delete(2);
		},
		stall: () => {
			state.isStalled = true;
		},
		close: async () => undefined,
	};
}

for (const contractTest of [...pluginContract(linkding), ...connectorContract(scene)]) test(contractTest.name, contractTest.check);

test("hundreds of bookmarks come page by page, each with its address and tags", async () => {
	const { state, start } = far(new Map(Array.from({ length: 250 }, (_, id) => [id, bookmark(`notes of ${id}`)])));
	const connector = await start(() => undefined);
	const step: Step = quietStep();
	const items = [];
	for await (const change of connector.sync(connector.configure({ server: "https://links.example/", token }, 240), null, step))
		if (change.kind === "put") items.push(change.item);
	expect([items.length, state.asked]).toEqual([240, 3]);
	expect(items[0]).toMatchObject({ key: "0", title: "Tides", metadata: { url: "https://harbour.example/0", tags: ["harbour"] } });
});
