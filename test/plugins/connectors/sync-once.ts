/** One whole sync of a connector, and what came of it; and what it threw where it was expected to. */

import { type Change, type Connector, type ConnectorItem, type Cursor, ServiceError, type Step } from "cairn-memory";
import { kept } from "../../contract/connector-scene.ts";
import { createStep } from "../../doubles/step.ts";

export interface SyncCall {
	readonly metadata?: Readonly<Record<string, unknown>>;
	readonly cursor?: Cursor | null;
	readonly documentsMax?: number;
	readonly accessToken?: NonNullable<Step["accessToken"]>;
}

export interface Synced {
	readonly puts: readonly ConnectorItem[];
	/** Of what was put and of what was removed, in alphabetical order. */
	readonly keys: readonly string[];
	readonly removed: readonly string[];
	readonly warnings: readonly string[];
	readonly cursor: Cursor | null;
}

export async function syncOnce(connector: Connector, call: SyncCall = {}): Promise<Synced> {
	const { metadata = {}, cursor = null, documentsMax = 1_000, accessToken } = call;
	const step = createStep();
	const changes: Change[] = [];
	let last = cursor;
	const config = connector.configure(metadata, documentsMax);
	for await (const change of connector.sync(config, cursor, { ...step, ...(accessToken !== undefined && { accessToken }) })) {
		changes.push(change);
		last = kept(change.cursor());
	}
	const puts = changes.flatMap((change) => (change.kind === "put" ? [change.item] : []));
	const removed = changes.flatMap((change) => (change.kind === "remove" ? [change.key] : []));
	const warnings = step.warnings.map(({ code, message }) => `${code}: ${message}`);
	return { puts, keys: puts.map(({ key }) => key).toSorted(), removed: removed.toSorted(), warnings, cursor: last };
}

export async function refusalOf(run: () => unknown): Promise<ServiceError> {
	try {
		await run();
	} catch (error) {
		if (error instanceof ServiceError) return error;
		throw error;
	}
	throw new Error("it was expected to be refused");
}
