/** What a service, or something in its place, may answer besides what it promises: a page for people, and lists that never end. */

import { expect, test } from "bun:test";
import { type Fetched, type Host, limits, ServiceError } from "cairn-memory";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { signIn } from "../../doubles/sign-in.ts";
import { createStep } from "../../doubles/step.ts";
import { type ListedSide, listedSides } from "./listed-sides.ts";
import { type Synced, syncOnce } from "./sync-once.ts";

/** More than any of the sides needs to list everything. */
const requestsMax = 3_000;

async function opened({ plugin, peer, metadata, signsIn = false }: ListedSide) {
	const host = createConnectorHost([peer.host]);
	const accessToken = signsIn ? { accessToken: await signIn(await startConnector(plugin, host)) } : {};
	const syncWith = async (fetch: Host["fetch"], cursor: Synced["cursor"]) =>
		syncOnce(await startConnector(plugin, { ...host, fetch }), { metadata, cursor, ...accessToken });
	/** Whatever the sync comes to. */
	const removedBy = async (fetch: Host["fetch"], cursor: Synced["cursor"]) => {
		const connector = await startConnector(plugin, { ...host, fetch });
		const removed: string[] = [];
		try {
			for await (const change of connector.sync(connector.configure(metadata, limits.connectionDocumentsMax), cursor, { ...createStep(), ...accessToken }))
				if (change.kind === "remove") removed.push(change.key);
		} catch (error) {
			if (!(error instanceof ServiceError)) throw error;
		}
		return removed;
	};
	return { host, syncWith, removedBy };
}

const signInPage = new TextEncoder().encode("<!doctype html><title>Sign in</title><p>This network wants you to sign in.</p>");

for (const [name, open] of Object.entries(listedSides)) {
	test(`${name}: a page for people in place of every answer takes nothing away, and brings nothing`, async () => {
		const side = await open();
		const { host, syncWith } = await opened(side);
		const asPage = async (...call: Parameters<Host["fetch"]>) => ({
			...(await host.fetch(...call)),
			status: 200,
			claimedMediaType: "text/html" as const,
			bytes: signInPage,
		});
		const first = await syncWith(host.fetch, null);
		expect(first.puts).toHaveLength(side.count);
		for (const cursor of [null, first.cursor]) {
			const thrown: unknown = await syncWith(asPage, cursor).catch((error: unknown) => error);
			expect(thrown).toBeInstanceOf(ServiceError);
		}
		const next = await syncWith(host.fetch, first.cursor);
		side.peer.close();
		expect([next.puts, next.removed]).toEqual([[], []]);
	});

	for (const length of [1, 2]) {
		test(`${name}: a list that leads back to itself after ${length} comes to an end, and takes nothing away`, async () => {
			const side = await open();
			const { host, syncWith, removedBy } = await opened(side);
			const first = await syncWith(host.fetch, null);
			for (const cursor of [null, first.cursor]) {
				let asked = 0;
				const answers = new Map<string, Fetched[]>();
				const circling = async (...[address, options]: Parameters<Host["fetch"]>) => {
					if (++asked > requestsMax) throw new Error(`it goes on after ${requestsMax} requests`);
					const { pathname } = new URL(address);
					const known = answers.get(pathname) ?? [];
					// The last page names the first as the next.
					const [again] = known.length === length ? known.splice(0, 1) : [];
					const fetched = again ?? (await host.fetch(address, options));
					answers.set(pathname, [...known, fetched]);
					return fetched;
				};
				expect(await removedBy(circling, cursor)).toEqual([]);
			}
			const next = await syncWith(host.fetch, first.cursor);
			side.peer.close();
			expect([next.puts, next.removed]).toEqual([[], []]);
		});
	}
}
