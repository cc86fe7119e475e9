/** What is removed leaves the documents also where every listing is cut off, and nothing else does. */

import { expect, test } from "bun:test";
import { ServiceError, type Step } from "cairn-memory";
import { kept } from "../../contract/connector-scene.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { signIn } from "../../doubles/sign-in.ts";
import { createStep } from "../../doubles/step.ts";
import { endure } from "./endure.ts";
import { interrupted, listedSides } from "./listed-sides.ts";
import { syncOnce } from "./sync-once.ts";

for (const [name, open] of Object.entries(listedSides)) {
	test(`${name}: what is gone is removed though every listing is cut off`, async () => {
		const { plugin, peer, metadata, count, signsIn = false, remove } = await open();
		if (remove === undefined) return peer.close();
		const host = createConnectorHost([peer.host]);
		const connector = await startConnector(plugin, host);
		const accessToken: Step["accessToken"] = signsIn ? await signIn(connector) : undefined;
		const enduring = { metadata, kills: 0, ...(accessToken !== undefined && { accessToken }) };
		const documents = new Map<string, string>();
		const whole = await endure({ ...enduring, start: async () => connector }, documents, null);
		expect(documents.size).toBe(count);
		const gone = remove();
		const isCut = interrupted(host, new Map(), () => true);
		const { removed, puts } = await endure({ ...enduring, start: () => startConnector(plugin, isCut) }, documents, whole.cursor);
		peer.close();
		expect([removed, documents.size, puts]).toEqual([[gone], count - 1, []]);
	});
}

for (const [name, open] of Object.entries(listedSides)) {
	test(`${name}: what is back before the listing goes on stays`, async () => {
		const { plugin, peer, metadata, remove, restore } = await open();
		if (remove === undefined || restore === undefined) return peer.close();
		const host = createConnectorHost([peer.host]);
		let [asked, refusedAt] = [0, Number.POSITIVE_INFINITY];
		const fetch: typeof host.fetch = async (address, options) => {
			asked += 1;
			if (asked !== refusedAt) return host.fetch(address, options);
			throw new ServiceError("ADDRESS_FAILED", [address, "status 429"]).notBefore(600_000);
		};
		const connector = await startConnector(plugin, { ...host, fetch });
		const first = await syncOnce(connector, { metadata });
		asked = 0;
		await syncOnce(connector, { metadata, cursor: first.cursor });
		[asked, refusedAt] = [0, asked];
		const gone = remove();
		let cursor = first.cursor;
		const cutOff = async () => {
			for await (const change of connector.sync(connector.configure(metadata, 1_000), cursor, createStep())) cursor = kept(change.cursor());
		};
		await expect(cutOff()).rejects.toMatchObject({ code: "ADDRESS_FAILED" });
		expect([Object.keys(cursor?.["objects"] ?? {}).includes(gone), cursor?.["listing"] !== undefined]).toEqual([true, true]);
		restore();
		expect((await syncOnce(connector, { metadata, cursor })).removed).toEqual([]);
		peer.close();
	});
}
