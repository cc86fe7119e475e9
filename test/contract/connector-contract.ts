/** What every connector promises. */

import { isDeepStrictEqual } from "node:util";
import { type Change, type Connector, type Cursor, type Log, limits, ServiceError, type Step } from "cairn-memory";
import { apply, type ConnectorScene, changesOf, configOf, type Documents, demandSame, kept, silent, stepOf, syncAll, syncUntil } from "./connector-scene.ts";
import { type ContractTest, demand } from "./contract-test.ts";

/** How long an aborted sync may take to stop. */
const stopWithinMs = 1_000;
/** A scene is small; a sync that goes on and on is caught here. */
const changesMax = 200;

/** @param open sets up a far side; it is called once for each contract test, and for each kill of the contract tests about kills. */
export function connectorContract(open: () => Promise<ConnectorScene>): readonly ContractTest[] {
	const on = async (check: (scene: ConnectorScene) => Promise<void>) => {
		const scene = await open();
		try {
			await check(scene);
		} finally {
			await scene.close();
		}
	};
	const contractTest = (name: string, check: (scene: ConnectorScene) => Promise<void>): ContractTest => ({ name, check: () => on(check) });
	return [
		contractTest("a connector has a name for an address, and a time to its next sync", async (scene) => {
			const { name, syncEveryMs, secrets } = await scene.start(silent);
			demand(/^[a-z][a-z0-9-]*$/.test(name), `"${name}" is no part of an address`);
			demand(Number.isFinite(syncEveryMs) && syncEveryMs >= 60_000, `it wants to sync every ${syncEveryMs} ms`);
			for (const key of secrets) demand(key in scene.metadata, `its secret ${key} is not in the scene's metadata`);
		}),
		contractTest("nonsense is refused by the name of its key", async (scene) => {
			const connector = await scene.start(silent);
			for (const { metadata, key } of scene.nonsense) demandRefused(connector, metadata, key);
		}),
		contractTest("a configuration is JSON, and configures to itself", async (scene) => {
			const connector = await scene.start(silent);
			const config = configOf(connector, scene);
			const again = connector.configure(JSON.parse(JSON.stringify(config)), limits.connectionDocumentsMax);
			demand(JSON.stringify(again) === JSON.stringify(config), "it makes another configuration of its own");
		}),
		contractTest("the first sync brings all there is, each thing once", async (scene) => {
			const documents: Documents = new Map();
			const changes = await changesOf(scene, null);
			for (const change of changes) apply(change, documents);
			demandSame(documents, scene.there(), "after the first sync");
			const keys = putKeys(changes);
			demand(new Set(keys).size === keys.length, "it brought a thing twice");
		}),
		contractTest("no more documents than allowed", async (scene) => {
			const connector = await scene.start(silent);
			const documents: Documents = new Map();
			for await (const change of connector.sync(connector.configure(scene.metadata, 1), null, stepOf(scene))) apply(change, documents);
			demand(documents.size === 1, `${documents.size} documents, where 1 is allowed`);
		}),
		contractTest("a limit that is lowered takes documents away", async (scene) => {
			const documents: Documents = new Map();
			const cursor = await syncAll(scene, documents, null);
			const connector = await scene.start(silent);
			for await (const change of connector.sync(connector.configure(scene.metadata, 1), cursor, stepOf(scene))) apply(change, documents);
			demand(documents.size === 1, `${documents.size} documents, where only 1 is allowed any more`);
		}),
		contractTest("a sync without changes brings nothing", async (scene) => {
			const cursor = await syncAll(scene, new Map(), null);
			const again = (await changesOf(scene, cursor)).filter(({ kind }) => kind !== "checkpoint");
			demand(again.length === 0, `${again.length} changes, where nothing had changed`);
		}),
		contractTest("after changes a sync brings them, and only them", async (scene) => {
			const documents: Documents = new Map();
			const cursor = await syncAll(scene, documents, null);
			const before = scene.there();
			await scene.change();
			const after = scene.there();
			const changes = await changesOf(scene, cursor);
			for (const change of changes) apply(change, documents);
			demandSame(documents, after, "after the second sync");
			for (const key of putKeys(changes)) demand(before.get(key) !== after.get(key), `${key} has not changed and comes again`);
		}),
		contractTest("a sync killed anywhere loses nothing and doubles nothing", async (scene) => {
			for (const keeping of ["always", "checkpoints"] as const) {
				let hasEnded = false;
				for (let kill = 1; !hasEnded; kill += 1) {
					demand(kill <= changesMax, `it brought more than ${changesMax} changes`);
					const documents: Documents = new Map();
					const killed = await syncUntil(kill, scene, documents, null, keeping);
					hasEnded = killed.hasEnded;
					await syncAll(scene, documents, killed.cursor);
					demandSame(documents, scene.there(), `killed at change ${kill}`);
				}
			}
		}),
		{
			name: "what is gone after a kill is removed",
			check: async () => {
				for (const keeping of ["always", "checkpoints"] as const) {
					let hasEnded = false;
					for (let kill = 1; !hasEnded && kill <= changesMax; kill += 1) {
						await on(async (scene) => {
							const documents: Documents = new Map();
							const killed = await syncUntil(kill, scene, documents, null, keeping);
							hasEnded = killed.hasEnded;
							await scene.change();
							// The first goes on where the kill was, and may leave what changed behind that place to the second.
							const cursor = await syncAll(scene, documents, killed.cursor);
							await syncAll(scene, documents, cursor);
							demandSame(documents, scene.there(), `killed at change ${kill}, with changes before the next syncs`);
						});
					}
				}
			},
		},
		contractTest("cursors are JSON, bounded, and stand still", async (scene) => {
			const connector = await scene.start(silent);
			const seen: { readonly cursor: Cursor; readonly json: string }[] = [];
			for await (const change of connector.sync(configOf(connector, scene), null, stepOf(scene))) {
				const cursor = change.cursor();
				seen.push({ cursor, json: JSON.stringify(cursor) });
				demand(isDeepStrictEqual(kept(cursor), cursor), "a cursor is not the same after a way through JSON");
				demand(JSON.stringify(cursor).length * 3 <= limits.cursorBytesMax, "a cursor is too long");
			}
			for (const { cursor, json } of seen) demand(JSON.stringify(cursor) === json, "a cursor changed after it was handed over");
		}),
		contractTest("a cursor that cannot be read counts as none", async (scene) => {
			for (const cursor of [{}, { version: 999 }, { version: 1 }, { version: 1, objects: 7, pages: [] }] as const) {
				const documents: Documents = new Map();
				const thrown: unknown = await syncAll(scene, documents, cursor).then(
					() => null,
					(error: unknown) => error,
				);
				demand(thrown === null, `it stumbles over the cursor ${JSON.stringify(cursor)}: ${thrown}`);
				demandSame(documents, scene.there(), `from the cursor ${JSON.stringify(cursor)}`);
			}
		}),
		contractTest("secrets are told nowhere", async (scene) => demandDiscreet(scene)),
		contractTest("an aborted sync stops soon", async (scene) => {
			await demandStops(scene, "before it began", 0);
			await demandStops(scene, "at its first change", "first");
			scene.stall();
			await demandStops(scene, "while nobody answers", 20);
		}),
	];
}

function putKeys(changes: readonly Change[]): readonly string[] {
	return changes.flatMap((change) => (change.kind === "put" ? [change.item.key] : []));
}

function demandRefused(connector: Connector, metadata: Readonly<Record<string, unknown>>, key: string): void {
	let thrown: unknown = null;
	try {
		connector.configure(metadata, limits.connectionDocumentsMax);
	} catch (error) {
		thrown = error;
	}
	demand(thrown !== null, `it takes a wrong ${key}`);
	demand(thrown instanceof ServiceError && thrown.kind === "invalid", `a wrong ${key} is no error of kind invalid`);
	demand(thrown.message.includes(key), `its complaint does not name ${key}: ${thrown.message}`);
	demand((thrown.hint ?? "") !== "", `its complaint about ${key} says nothing of a remedy`);
}

/** Everything that leaves the connector is searched for every secret: lines, warnings, cursors, documents, errors. */
async function demandDiscreet(scene: ConnectorScene): Promise<void> {
	const told: string[] = [];
	const log: Log = (_level, message, facts) => void told.push(`${message} ${JSON.stringify(facts ?? {})}`);
	const step: Step = { ...stepOf(scene), log, warn: (code, message) => void told.push(`${code} ${message}`) };
	const connector = await scene.start(log);
	for (const metadata of [scene.metadata, scene.refused ?? scene.metadata, ...scene.nonsense.map((one) => one.metadata)]) {
		try {
			const config = connector.configure(metadata, limits.connectionDocumentsMax);
			await connector.check?.(config, step);
			for await (const change of connector.sync(config, null, step)) {
				told.push(
					JSON.stringify(change.cursor()),
					change.kind === "put" ? JSON.stringify({ ...change.item, content: { ...change.item.content, bytes: null } }) : "",
				);
			}
		} catch (error) {
			told.push(String(error), JSON.stringify(error), error instanceof Error ? String(error.cause) : "");
		}
		const token = await scene.accessToken?.();
		for (const [key, secret] of [...connector.secrets.map((name) => [name, metadata[name]] as const), ["the access token", token] as const]) {
			const isLong = typeof secret === "string" && secret.length >= 8;
			demand(!isLong || !told.some((line) => line.includes(secret)), `it tells ${key}`);
		}
	}
}

/** @param abortAt milliseconds after the start, or at the first change. */
async function demandStops(scene: ConnectorScene, when: string, abortAt: number | "first"): Promise<void> {
	const connector = await scene.start(silent);
	const controller = new AbortController();
	const abort = () => controller.abort(new Error("stopped by the law"));
	if (abortAt === 0) abort();
	else if (abortAt !== "first") setTimeout(abort, abortAt);
	const countAfter = async () => {
		let after = 0;
		for await (const _ of connector.sync(configOf(connector, scene), null, { ...stepOf(scene), signal: controller.signal })) {
			if (controller.signal.aborted) after += 1;
			else if (abortAt === "first") abort();
		}
		return after;
	};
	const late = new Promise<"late">((resolve) => setTimeout(resolve, stopWithinMs + (abortAt === "first" ? 0 : abortAt), "late"));
	const ended = await Promise.race([countAfter().catch(() => 0), late]);
	demand(ended !== "late", `aborted ${when} it goes on`);
	demand(ended <= 1, `aborted ${when} it still brought ${ended} changes`);
}
