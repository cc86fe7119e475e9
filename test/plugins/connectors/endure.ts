/** A sync through faults: it is killed again and again, refused, and goes on from the last cursor that core would have stored, until nothing is left. */

import { type Connector, type Cursor, limits, ServiceError, type Step } from "cairn-memory";
import { apply, type Documents, kept } from "../../contract/connector-scene.ts";
import { createStep } from "../../doubles/step.ts";

export interface Endured {
	readonly cursor: Cursor | null;
	/** Keys in the order in which they came, each time. */
	readonly puts: readonly string[];
	readonly removed: readonly string[];
	readonly attempts: number;
	/** Of the last attempt. */
	readonly warnings: readonly string[];
}

/** Core stores cursors less often; so every kill here costs as much as it may cost there, for a smaller number of items. */
const changesBetweenCursors = 10;
const attemptsMax = 2_000;

export interface Enduring {
	/** A fresh connector, as after a restart. */
	readonly start: () => Promise<Connector>;
	readonly metadata: Readonly<Record<string, unknown>>;
	/** Kills this many times, at places of a fixed seed. */
	readonly kills: number;
	/** The access token, where somebody has to sign in. */
	readonly accessToken?: NonNullable<Step["accessToken"]>;
}

export async function endure({ start, metadata, kills, accessToken }: Enduring, documents: Documents, from: Cursor | null): Promise<Endured> {
	const [puts, removed]: [string[], string[]] = [[], []];
	const random = seeded(11);
	let [cursor, killsLeft] = [from, kills];
	for (let attempts = 1; attempts <= attemptsMax; attempts++) {
		const connector = await start();
		const watched = createStep();
		const step = { ...watched, ...(accessToken !== undefined && { accessToken }) };
		const killAt = killsLeft > 0 ? 1 + Math.floor(random() * 40) : Number.POSITIVE_INFINITY;
		try {
			let changes = 0;
			let last: (() => Cursor) | null = null;
			const config = connector.configure(metadata, limits.connectionDocumentsMax);
			for await (const change of connector.sync(config, cursor, { ...step, ...(accessToken !== undefined && { accessToken }) })) {
				apply(change, documents);
				changes++;
				if (change.kind === "put") puts.push(change.item.key);
				if (change.kind === "remove") removed.push(change.key);
				if (changes >= killAt) break;
				last = change.cursor;
				if (change.kind === "checkpoint" || changes % changesBetweenCursors === 0) cursor = kept(change.cursor());
			}
			if (changes >= killAt) {
				killsLeft--;
				continue;
			}
			cursor = last === null ? cursor : kept(last());
			return { cursor, puts, removed, attempts, warnings: watched.warnings.map(({ message }) => message) };
		} catch (error) {
			// As core does: what may pass is tried again from the last cursor.
			if (!(error instanceof ServiceError && error.mayPass)) throw error;
		}
	}
	throw new Error(`it did not come to its end in ${attemptsMax} attempts`);
}

function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
		return state / 0x80000000;
	};
}
