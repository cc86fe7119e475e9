/** Makes one attempt to sync a connection, starting at its stored cursor. It stops if the connection is deleted meanwhile. */

import { asServiceError, fail } from "../errors/fail.ts";
import { createStep } from "../language/step.ts";
import { newId, type OrganisationId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Parts } from "../parts.ts";
import type { Connector } from "../plugin/contract.ts";
import type { TenantStore } from "../ports/storage.ts";
import { dueAt, newJob } from "../runtime/new-job.ts";
import { accessTokenOf } from "./access-token.ts";
import type { Connection } from "./connection.ts";
import { openConfig } from "./connection.ts";
import { type ConnectionStore, connectionStore } from "./connection-store.ts";
import { deleteConnection, removeSynced } from "./delete-connection.ts";
import { connectorOf } from "./providers.ts";
import { reportProgress } from "./report-progress.ts";
import { runSync } from "./run-sync.ts";
import { syncCall } from "./sync-call.ts";
import { withFailure, withRunCompleted, withRunStarted } from "./sync-run.ts";

export interface SyncParts extends Pick<Parts, "storage" | "connectors" | "vault" | "digest" | "world"> {
	/** The storage without the lease of the job, for what must be stored even if another worker has the job by now. */
	readonly unleased: Parts["storage"];
}

/** How often a sync checks whether its connection was deleted. */
const checkEveryMs = 300;
/** The default interval, used if the connector is not installed. */
const defaultSyncEveryMs = 4 * 60 * 60_000;
/** The reason that the abort signal gets. */
const connectionDeleted = Symbol("the connection was deleted");

export async function sync(id: string, organisation: OrganisationId, parts: SyncParts, signal: AbortSignal): Promise<void> {
	const { storage, connectors, world } = parts;
	const tenant = storage.organisation(organisation);
	const store = connectionStore(tenant.records, world);
	const connection = await store.amend(id, (current) => (current.deletion === null ? withRunStarted(current, newId(world.randomBytes), world.now()) : current));
	if (connection === null) return;
	if (connection.deletion !== null) return deleteConnection(connection, tenant, parts);
	const connector = connectorOf(connection.provider, connectors);
	const run = await runOnce({ connection, connector, organisation, tenant, store, parts }, signal);
	if (run === null) return removeRemains(connection, tenant, store, parts);
	const { tryAgainMs, ...ended } = run;
	const after = await store.amend(id, (current) =>
		current.deletion === null ? withRunCompleted(current, ended, world.now(), connector.syncEveryMs, tryAgainMs) : null,
	);
	await planNextSync(after, organisation, parts);
}

interface Attempt {
	readonly connection: Connection;
	readonly connector: Connector;
	readonly organisation: OrganisationId;
	readonly tenant: TenantStore;
	readonly store: ConnectionStore;
	readonly parts: SyncParts;
}

/** @returns the result of the run; null if the connection was deleted meanwhile. */
async function runOnce({ connection, connector, organisation, tenant, store, parts }: Attempt, signal: AbortSignal) {
	const { world, vault } = parts;
	const config = openConfig(connection, vault);
	const stopping = new AbortController();
	const report = reportProgress(connection, store, world);
	const access = accessTokenOf(connection, connector, { ...parts, records: parts.unleased.organisation(organisation).records });
	const asked: number[] = [];
	const tryAgain = (afterMs: number) => void asked.push(afterMs);
	const recorded = createStep(world, AbortSignal.any([signal, stopping.signal]), report.progress);
	const step = { ...recorded, ...access, tryAgain, isRetry: connection.runs[0]?.isRetry === true };
	const ended = new AbortController();
	const watching = watch(connection, store, stopping, AbortSignal.any([signal, ended.signal]), parts);
	try {
		const currentConnection = async () => {
			const current = await store.get(connection.id);
			if (current !== null && current.deletion === null) return current;
			stopping.abort(connectionDeleted);
			throw fail("CONNECTION_MISSING");
		};
		await runSync(await syncCall({ world, connection, connector, config, organisation, tenant, report, currentConnection }, step), step);
	} catch (thrown) {
		if (stopping.signal.reason !== connectionDeleted) throw thrown;
		return null;
	} finally {
		ended.abort();
		await Promise.all([watching, report.flush()]);
	}
	const warnings = step.warnings().slice(0, limits.storedSyncWarningsMax);
	const tryAgainMs = asked.length === 0 ? null : Math.min(...asked);
	return { ...report.run(), tryAgainMs, remarks: warnings.map(({ code, message }) => ({ code, message })) };
}

/** Records a failed attempt. It is called before the job is retried or abandoned. */
export async function syncFailed(id: string, organisation: OrganisationId, thrown: unknown, retryAt: Date | null, parts: SyncParts): Promise<void> {
	const { storage, connectors, world } = parts;
	const error = asServiceError(thrown);
	const store = connectionStore(storage.organisation(organisation).records, world);
	const after = await store.amend(id, (current) => {
		const connector = connectors.find(({ name }) => name === current.provider);
		const hasKeys = (connector?.secrets.length ?? 0) > 0 || connector?.signIn !== undefined;
		return withFailure(current, error, retryAt, world.now(), connector?.syncEveryMs ?? defaultSyncEveryMs, hasKeys);
	});
	const { cause } = error;
	const facts = { connection: id, provider: after?.provider, code: error.code, errorCode: after?.runs[0]?.errorCode, retryAt };
	world.log(error.kind === "internal" ? "error" : "warn", "a connection could not be synced", {
		...facts,
		cause: cause instanceof Error ? cause.message : null,
	});
	if (retryAt === null) await planNextSync(after, organisation, parts);
}

/** Adds the job of the next sync, which begins a trace of its own. If the server crashes before this, the job of the current sync runs again. */
async function planNextSync(connection: Connection | null, organisation: OrganisationId, { storage, world }: SyncParts): Promise<void> {
	if (connection === null || connection.nextSyncAt === null || connection.deletion !== null) return;
	const notBefore = dueAt(new Date(connection.nextSyncAt), world);
	await storage.jobs.add({ ...newJob("sync", connection.id, organisation, world), notBefore, trace: null });
}

/** Stops the sync when its connection is deleted. A read that fails is repeated at the next check. */
async function watch({ id }: Connection, store: ConnectionStore, stopping: AbortController, signal: AbortSignal, { world }: SyncParts): Promise<void> {
	while (!signal.aborted) {
		await world.sleep(checkEveryMs, signal);
		if (signal.aborted) return;
		if (await store.get(id).then(isDeleted, () => false)) return stopping.abort(connectionDeleted);
	}
}

function isDeleted(current: Connection | null): boolean {
	return current === null || current.deletion !== null;
}

/** Removes documents that this sync has written after the deletion had looked for them. */
async function removeRemains({ id }: Connection, tenant: TenantStore, store: ConnectionStore, parts: SyncParts): Promise<void> {
	const current = await store.get(id);
	if (current !== null) return deleteConnection(current, tenant, parts);
	await removeSynced(id, tenant, parts.world);
	await tenant.records.remove("sync-cursor", id);
}
