/** A service that lists nothing at all is not taken at its word: all documents stay, and the sync says so until there is something again. */

import { expect, test } from "bun:test";
import { type Cursor, limits, type Step } from "cairn-memory";
import { apply, type Documents, kept } from "../../contract/connector-scene.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { signIn } from "../../doubles/sign-in.ts";
import { createStep } from "../../doubles/step.ts";
import { type ListedSide, listedSides } from "./listed-sides.ts";

/** Syncs of a connection, with its documents and how often one was put. */
async function watched({ plugin, peer, metadata, signsIn = false }: ListedSide) {
	const connector = await startConnector(plugin, createConnectorHost([peer.host]));
	const accessToken: Step["accessToken"] = signsIn ? await signIn(connector) : undefined;
	const config = connector.configure(metadata, limits.connectionDocumentsMax);
	const state = { documents: new Map() as Documents, puts: 0, cursor: null as Cursor | null, sync };
	async function sync() {
		for await (const one of connector.sync(config, state.cursor, { ...createStep(), ...(accessToken !== undefined && { accessToken }) })) {
			apply(one, state.documents);
			if (one.kind === "put") state.puts++;
			state.cursor = kept(one.cursor());
		}
	}
	return state;
}

/** A mailbox may be empty, and feeds lose no documents by a list. */
const believed: ReadonlySet<string> = new Set(["gmail", "rss"]);

for (const [name, open] of Object.entries(listedSides)) {
	if (believed.has(name)) continue;
	test(`${name}: where nothing is listed any more, everything stays`, async () => {
		const side = await open();
		const { peer, count, empty } = side;
		if (empty === undefined) throw new Error(`${name} cannot be emptied`);
		const state = await watched(side);
		await state.sync();
		const refill = empty();
		for (let syncs = 0; syncs < 2; syncs++)
			await expect(state.sync()).rejects.toMatchObject({
				code: "CONNECTION_SOURCE_MISSING",
				message: expect.stringMatching(/: no \w+ is there, .* the documents stay until there is one again$/),
			});
		expect(state.documents.size).toBe(count);
		refill();
		await state.sync();
		peer.close();
		expect([state.documents.size, state.puts]).toEqual([count, count]);
	});
}
