/** Connectors that break one promise each, and the contract tests that must notice. */

import { type Change, type Connector, limits } from "cairn-memory";
import type { ConnectorScene } from "../../contract/connector-scene.ts";
import type { Mutant } from "../mutant.ts";
import { type Faults, shelfScene } from "./shelf.ts";

const secret = "correct horse";

export function connectorMutants(): readonly Mutant<ConnectorScene>[] {
	const spoiled = (name: string, contractTest: string, spoil: (connector: Connector) => Partial<Connector>): Mutant<ConnectorScene> => ({
		name,
		contractTests: [contractTest],
		start: async () => shelfScene((connector) => ({ ...connector, ...spoil(connector) })),
	});
	const faulty = (name: string, contractTest: string, faults: Faults): Mutant<ConnectorScene> => ({
		name,
		contractTests: [contractTest],
		start: async () => shelfScene(undefined, faults),
	});
	const changed = (name: string, contractTest: string, change: (changes: AsyncIterable<Change>) => AsyncIterable<Change>): Mutant<ConnectorScene> =>
		spoiled(name, contractTest, ({ sync }) => ({ sync: (...call) => change(sync(...call)) }));
	return [
		spoiled("has a name with a slash", "a connector has a name for an address, and a time to its next sync", () => ({ name: "a/b" })),
		spoiled("never rests", "a connector has a name for an address, and a time to its next sync", () => ({ syncEveryMs: 0 })),
		spoiled("takes anything", "nonsense is refused by the name of its key", () => ({ configure: (_, documentsMax) => ({ documentsMax }) })),
		spoiled("complains of nothing in particular", "nonsense is refused by the name of its key", () => ({
			configure: () => {
				throw new Error("no");
			},
		})),
		spoiled("counts its configurations", "a configuration is JSON, and configures to itself", ({ configure }) => {
			let count = 0;
			return { configure: (...given) => ({ ...configure(...given), count: ++count }) };
		}),
		changed("loses the last thing", "the first sync brings all there is, each thing once", dropLast),
		changed("brings things twice", "the first sync brings all there is, each thing once", twice),
		spoiled("takes more than it may", "no more documents than allowed", ({ configure }) => ({
			configure: (metadata) => configure(metadata, limits.connectionDocumentsMax),
		})),
		changed("keeps what is over a lowered limit", "a limit that is lowered takes documents away", (changes) => only(changes, ({ kind }) => kind !== "remove")),
		spoiled("forgets what it brought", "a sync without changes brings nothing", ({ sync }) => ({ sync: (config, _, step) => sync(config, null, step) })),
		changed("does not see what is gone", "after changes a sync brings them, and only them", (changes) => only(changes, ({ kind }) => kind !== "remove")),
		faulty("has other keys after each start", "a sync killed anywhere loses nothing and doubles nothing", { keysOfTheDay: true }),
		faulty("moves on before it has brought anything", "a sync killed anywhere loses nothing and doubles nothing", { movesOnTooEarly: true }),
		faulty("announces nothing", "what is gone after a kill is removed", { announcesNothing: true }),
		faulty("writes in cursors that it gave away", "cursors are JSON, bounded, and stand still", { writesInOldCursors: true }),
		spoiled("puts a date in its cursor", "cursors are JSON, bounded, and stand still", ({ sync }) => ({
			sync: (...call) => map(sync(...call), (change) => ({ ...change, cursor: () => ({ ...change.cursor(), at: new Date(0) as unknown as string }) })),
		})),
		faulty("believes any cursor", "a cursor that cannot be read counts as none", { trustsCursors: true }),
		spoiled("logs its password", "secrets are told nowhere", ({ sync }) => ({
			sync: (config, cursor, step) => {
				step.log("debug", "signing in", { config });
				return sync(config, cursor, step);
			},
		})),
		changed("keeps its password with its documents", "secrets are told nowhere", (changes) =>
			map(changes, (change) => (change.kind === "put" ? { ...change, item: { ...change.item, metadata: { secret } } } : change)),
		),
		faulty("is deaf", "an aborted sync stops soon", { isDeaf: true }),
	];
}

async function* map(changes: AsyncIterable<Change>, to: (change: Change) => Change): AsyncGenerator<Change> {
	for await (const change of changes) yield to(change);
}

async function* only(changes: AsyncIterable<Change>, wanted: (change: Change) => boolean): AsyncGenerator<Change> {
	for await (const change of changes) if (wanted(change)) yield change;
}

async function* twice(changes: AsyncIterable<Change>): AsyncGenerator<Change> {
	for await (const change of changes) {
		yield change;
		yield change;
	}
}

async function* dropLast(changes: AsyncIterable<Change>): AsyncGenerator<Change> {
	let before: Change | null = null;
	for await (const change of changes) {
		if (before !== null) yield before;
		before = change;
	}
}
