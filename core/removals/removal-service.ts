/** Removes many documents at once, and undoes such a removal. */

import { authorize, demandRole } from "../access/authorize.ts";
import { findDocument } from "../access/find-document.ts";
import { asServiceError, fail, type ServiceError } from "../errors/fail.ts";
import { remove } from "../ingest/remove.ts";
import type { Caller } from "../model/caller.ts";
import type { Document } from "../model/document.ts";
import { asId, type DocumentId, isId, newId, type RemovalId } from "../model/id.ts";
import { type DocumentIdentity, parentOf } from "../model/reserved-custom-ids.ts";
import type { Scope } from "../model/scope.ts";
import { documentStatuses } from "../model/status.ts";
import type { Parts } from "../parts.ts";
import type { SetAside } from "../ports/removal-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import { newJob } from "../runtime/new-job.ts";
import type { Notifier } from "../runtime/notifier.ts";
import { previewRollback, type RollbackResult, rollBack } from "./roll-back.ts";
import type { RemovalSource } from "./source.ts";

export interface RefusedDocument {
	readonly id: string;
	readonly error: ServiceError;
}

export interface RemovalResult {
	/** Id of the removal, with which it can be undone; null if nothing was removed, or removals are final. */
	readonly removal: RemovalId | null;
	readonly count: number;
	/** Documents that were not removed, by the id or customId of the request. */
	readonly refused: readonly RefusedDocument[];
}

export interface RestoreResult {
	readonly documents: readonly Document[];
	/** Documents that were not restored; another request can try again. */
	readonly refused: readonly (RefusedDocument & Pick<SetAside, "customId">)[];
}

export interface RollbackOptions {
	readonly dryRun: boolean;
	/** The id of the removal; null for a new one. */
	readonly removal: RemovalId | null;
}

export interface RemovalService {
	/** Removes documents by id or customId. An unknown one is reported and does not stop the others. */
	readonly removeNamed: (caller: Caller, names: readonly string[]) => Promise<RemovalResult>;
	/** Removes all documents in scope, whatever their status. Documents that are added meanwhile may stay. */
	readonly removeAll: (caller: Caller, scope: Scope) => Promise<RemovalResult>;
	/**
	 * Removes all documents of a source, and the memories that have no other source. A call that was interrupted can be repeated
	 * with the same removal id. With `dryRun` it only reports what it would remove.
	 */
	readonly rollBack: (caller: Caller, source: RemovalSource, scope: Scope, options: RollbackOptions) => Promise<RollbackResult>;
	/** Undoes a removal. @throws ServiceError `UNDO_EXPIRED` if the removal is unknown, too old, or already undone */
	readonly restore: (caller: Caller, removal: string) => Promise<RestoreResult>;
}

type RemovalParts = Pick<Parts, "storage" | "world">;

/** Documents removed at once: enough to be quick, few enough that other writers do not wait long. */
const batchSize = 100;

/** @param undoMs how long a removal can be undone; 0 makes every one final */
export function createRemovalService({ storage, world }: RemovalParts, undoMs: number, notifier: Pick<Notifier, "notify">): RemovalService {
	/** Each document is removed durably with everything needed to restore it, so the process may end at any point. */
	async function removeOne(document: DocumentIdentity, removal: RemovalId, tenant: TenantStore): Promise<number> {
		const now = world.now();
		const { statuses } = await tenant.documents.descendants(document);
		if (undoMs === 0) await remove(document.id, tenant, world);
		else if (!(await tenant.removals.setAside(document.id, removal, new Date(now.getTime() + undoMs), now))) throw fail("DOCUMENT_MISSING");
		return [...statuses.values()].reduce((sum, count) => sum + count, 1);
	}

	/** Removes attachments last: those removed with their parents no longer exist then, and are counted once. */
	async function removeMany(documents: readonly DocumentIdentity[], removal: RemovalId, tenant: TenantStore): Promise<number> {
		const outer = documents.filter(({ customId }) => parentOf(customId) === null);
		let count = 0;
		for (const batch of [outer, ...documents.filter((each) => !outer.includes(each)).map((inner) => [inner])]) {
			// Another request may remove the same document at the same time.
			for (const removed of await Promise.all(batch.map((each) => removeOne(each, removal, tenant).catch(noneIfMissing)))) count += removed;
		}
		return count;
	}

	function resultOf(removal: RemovalId, count: number, refused: readonly RefusedDocument[]): RemovalResult {
		return { removal: count === 0 || undoMs === 0 ? null : removal, count, refused };
	}

	async function find(name: string, { documents }: TenantStore): Promise<DocumentIdentity> {
		const document = await findDocument(name, documents, false);
		if (document === null) throw fail("DOCUMENT_MISSING");
		return document;
	}

	async function restoreOne({ id, customId }: SetAside, removal: RemovalId, { organisation }: Caller, tenant: TenantStore): Promise<Document | null> {
		const restored = await tenant.removals.bringBack(removal, id, newJob("ingest", id, organisation, world), world.now());
		// Its parent was extracted again in the meantime, which has added this attachment again.
		if (restored === "taken" && parentOf(customId) !== null) return null;
		if (restored === "taken") throw fail("CUSTOM_ID_TAKEN", customId ?? "");
		return restored;
	}

	return {
		removeNamed: async (caller, names) => {
			const tenant = authorize(storage, caller);
			const removal = newId<RemovalId>(world.randomBytes);
			const refused: RefusedDocument[] = [];
			const attempt = <Result>(name: string, result: Promise<Result>) =>
				result.catch((thrown: unknown) => {
					refused.push({ id: name, error: asServiceError(thrown) });
					return null;
				});
			const found = await Promise.all([...new Set(names)].map(async (name) => ({ name, document: await attempt(name, find(name, tenant)) })));
			// A document that is named twice, or removed with its parent, is reported and counted once.
			const distinct = new Map(found.flatMap(({ name, document }) => (document === null ? [] : [[document.id, { name, document }]])));
			const isRemovedWithParent = ({ customId }: DocumentIdentity) => distinct.has(parentOf(customId) ?? asId<DocumentId>(""));
			const independent = [...distinct.values()].filter(({ document }) => !isRemovedWithParent(document));
			const counts = await Promise.all(independent.map(({ name, document }) => attempt(name, removeOne(document, removal, tenant))));
			return resultOf(
				removal,
				counts.reduce<number>((sum, count) => sum + (count ?? 0), 0),
				refused,
			);
		},
		removeAll: async (caller, scope) => {
			const tenant = authorize(storage, caller);
			const removal = newId<RemovalId>(world.randomBytes);
			for (let count = 0; ; ) {
				const page = { offset: 0, limit: batchSize, sort: "createdAt", order: "asc" } as const;
				const { documents } = await tenant.documents.list(scope, documentStatuses, page, false);
				if (documents.length === 0) return resultOf(removal, count, []);
				count += await removeMany(documents, removal, tenant);
			}
		},
		rollBack: async (caller, source, scope, { dryRun, removal: existing }) => {
			const tenant = authorize(storage, caller);
			if (dryRun) {
				const { unknown, ...preview } = await previewRollback(source, scope, tenant);
				return { ...preview, removal: null, refused: unknown };
			}
			demandRole(caller, "write");
			const removal = existing ?? newId<RemovalId>(world.randomBytes);
			const { memories, ...removed } = await rollBack(source, scope, removal, tenant, (document) => removeOne(document, removal, tenant).catch(noneIfMissing));
			return { ...resultOf(removal, removed.count, removed.refused), memories };
		},
		restore: async (caller, idText) => {
			const tenant = authorize(storage, caller);
			const removal = asId<RemovalId>(idText);
			const removed = isId(idText) ? await tenant.removals.list(removal, world.now()) : [];
			if (removed.length === 0) throw fail("UNDO_EXPIRED");
			const documents: Document[] = [];
			const refused: (RefusedDocument & Pick<SetAside, "customId">)[] = [];
			// The store lists them in reverse order of removal, so that each document finds the related memories as they were.
			for (const each of removed) {
				try {
					const document = await restoreOne(each, removal, caller, tenant);
					if (document !== null) documents.push(document);
				} catch (thrown) {
					refused.push({ id: each.id, customId: each.customId, error: asDocumentError(thrown) });
				}
			}
			notifier.notify();
			return { documents, refused };
		},
	};
}

function noneIfMissing(thrown: unknown): 0 {
	if (asServiceError(thrown).code === "DOCUMENT_MISSING") return 0;
	throw thrown;
}

/** Returns an error that concerns one document only; other errors, such as those of the storage, stop the request. */
function asDocumentError(thrown: unknown): ServiceError {
	const error = asServiceError(thrown);
	if (error.kind === "conflict" || error.kind === "forbidden") return error;
	throw error;
}
