/** What the contract tests of connectors are tried on: a far side of the author's own, and how a sync is applied, killed and begun again. */

import { type Change, type Connector, type ConnectorConfig, type ConnectorItem, type Cursor, type Log, limits, type Step } from "cairn-memory";
import { demand } from "./contract-test.ts";
import { quietStep } from "./quiet-host.ts";

/** A far side with at least three things on it, and a connector that reads it. Each contract test opens its own. */
export interface ConnectorScene {
	/** A fresh connector, as after a restart. What its host logs goes to `log`. */
	readonly start: (log: Log) => Promise<Connector>;
	/** Lets the connector in. Values of secret keys have eight characters or more. */
	readonly metadata: Readonly<Record<string, unknown>>;
	/** The access token of somebody who has signed in, for a connector with `signIn`. It is told nowhere. */
	readonly accessToken?: NonNullable<Step["accessToken"]>;
	/** Must be refused, each because of one key. */
	readonly nonsense: readonly { readonly metadata: Readonly<Record<string, unknown>>; readonly key: string }[];
	/** Well formed, but the far side does not let it in; null where everybody is let in. */
	readonly refused: Readonly<Record<string, unknown>> | null;
	/** What is there now: the key of each thing, and words that its content holds. */
	readonly there: () => ReadonlyMap<string, string>;
	/** One thing more, one changed, one gone; at least one stays as it is. */
	readonly change: () => Promise<void>;
	/** From now on the far side takes requests and never answers. */
	readonly stall: () => void;
	readonly close: () => Promise<void>;
}

/** What became of a sync: documents by key, as whoever applies the changes would have them. */
export type Documents = Map<string, string>;

export const silent: Log = () => undefined;

export function configOf(connector: Connector, scene: ConnectorScene): ConnectorConfig {
	return connector.configure(scene.metadata, limits.connectionDocumentsMax);
}

export function stepOf({ accessToken }: ConnectorScene): Step {
	return { ...quietStep(), ...(accessToken !== undefined && { accessToken }) };
}

/** How often the cursor is kept: after each change, or only where it must be. */
export type Keeping = "always" | "checkpoints";

export interface Killed {
	/** The last cursor kept, as it comes back from where it was kept. */
	readonly cursor: Cursor | null;
	/** Whether the sync had ended before it could be killed. */
	readonly hasEnded: boolean;
}

/**
 * Applies changes until `changesMax` of them are applied; the cursor of the last one is then lost, as in a kill between the
 * change and its cursor.
 */
export async function syncUntil(changesMax: number, scene: ConnectorScene, documents: Documents, from: Cursor | null, keeping: Keeping): Promise<Killed> {
	const connector = await scene.start(silent);
	let cursor = from;
	let changes = 0;
	for await (const change of connector.sync(configOf(connector, scene), from, stepOf(scene))) {
		apply(change, documents);
		changes += 1;
		if (changes >= changesMax) return { cursor, hasEnded: false };
		if (keeping === "always" || change.kind === "checkpoint") cursor = kept(change.cursor());
	}
	return { cursor, hasEnded: true };
}

/** A whole sync. @returns its last cursor. */
export async function syncAll(scene: ConnectorScene, documents: Documents, from: Cursor | null): Promise<Cursor | null> {
	return (await syncUntil(Number.POSITIVE_INFINITY, scene, documents, from, "always")).cursor;
}

export async function changesOf(scene: ConnectorScene, from: Cursor | null, step: Step = stepOf(scene)): Promise<readonly Change[]> {
	const connector = await scene.start(silent);
	const changes: Change[] = [];
	for await (const change of connector.sync(configOf(connector, scene), from, step)) changes.push(change);
	return changes;
}

export function apply(change: Change, documents: Documents): void {
	if (change.kind === "put") documents.set(change.item.key, wordsIn(change.item));
	// There may be nothing under the key.
	if (change.kind === "remove") documents.delete(change.key);
}

export function kept(cursor: Cursor): Cursor {
	return JSON.parse(JSON.stringify(cursor)) as Cursor;
}

export function demandSame(documents: Documents, there: ReadonlyMap<string, string>, when: string): void {
	const missing = [...there.keys()].filter((key) => !documents.has(key));
	demand(missing.length === 0, `${when}: lost ${missing.join(", ")}`);
	const tooMany = [...documents.keys()].filter((key) => !there.has(key));
	demand(tooMany.length === 0, `${when}: too many, or under another key: ${tooMany.join(", ")}`);
	for (const [key, words] of there) demand(documents.get(key)?.includes(words) === true, `${when}: ${key} is not as it stands there`);
}

function wordsIn({ content }: ConnectorItem): string {
	if (content.kind === "file") return new TextDecoder().decode(content.bytes);
	return content.kind === "text" ? content.text : content.url;
}
