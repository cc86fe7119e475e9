/** Removes many documents at once, and undoes that. */

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
import { foresee, type RolledBack, rollBack } from "./roll-back.ts";
import type { RemovalSource } from "./source.ts";

export interface Refused {
	readonly id: string;
	readonly error: ServiceError;
}

export interface Removed {
	/** Names the removal for as long as it can be undone; null when nothing was removed, or nothing is kept. */
	readonly removal: RemovalId | null;
	readonly count: number;
	/** By the names they were given. */
	readonly refused: readonly Refused[];
}

export interface Restored {
	readonly documents: readonly Document[];
	/** They stay where they are, and can be asked for again. */
	readonly refused: readonly (Refused & Pick<SetAside, "customId">)[];
}

export interface RollbackOptions {
	readonly dryRun: boolean;
	/** The id of the removal; null for a new one. */
	readonly removal: RemovalId | null;
}

export interface RemovalService {
	/** By id or customId. A name that is unknown is reported and does not stop the others. */
	readonly removeNamed: (caller: Caller, names: readonly string[]) => Promise<Removed>;
	/** Everything in scope, whatever its status. What is added meanwhile may stay. */
	readonly removeAll: (caller: Caller, scope: Scope) => Promise<Removed>;
	/**
	 * Everything that comes from a source, with all memories that rest on it alone. A call that was cut off is repeated under
	 * the same name. With `dryRun` it only reports.
	 */
	readonly rollBack: (caller: Caller, source: RemovalSource, scope: Scope, options: RollbackOptions) => Promise<RolledBack>;
	/** @throws ServiceError `UNDO_EXPIRED` when the removal is unknown, too old, or undone already */
	readonly restore: (caller: Caller, removal: string) => Promise<Restored>;
}

type RemovalParts = Pick<Parts, "storage" | "world">;

/** Removed in one go: enough to be quick, few enough that other writers get their turn. */
const batch = 100;

/** @param undoMs how long a removal can be undone; 0 makes every one final */
export function createRemovalService({ storage, world }: RemovalParts, undoMs: number, notifier: Pick<Notifier, "notify">): RemovalService {
	/** Each document is removed durably with everything needed to restore it, so the process may end at any point. */
	async function take(document: DocumentIdentity, removal: RemovalId, tenant: TenantStore): Promise<number> {
		const now = world.now();
		const { statuses } = await tenant.documents.descendants(document);
		if (undoMs === 0) await remove(document.id, tenant, world);
		else if (!(await tenant.removals.setAside(document.id, removal, new Date(now.getTime() + undoMs), now))) throw fail("DOCUMENT_MISSING");
		return [...statuses.values()].reduce((sum, count) => sum + count, 1);
	}

	/** Attachments come last: those removed with their parents are gone by then, and are counted once. */
	async function takeAll(documents: readonly DocumentIdentity[], removal: RemovalId, tenant: TenantStore): Promise<number> {
		const outer = documents.filter(({ customId }) => parentOf(customId) === null);
		let count = 0;
		for (const some of [outer, ...documents.filter((each) => !outer.includes(each)).map((inner) => [inner])]) {
			// Another request may remove the same: then there is nothing left to do for it.
			for (const taken of await Promise.all(some.map((each) => take(each, removal, tenant).catch(noneIfMissing)))) count += taken;
		}
		return count;
	}

	function resultOf(removal: RemovalId, count: number, refused: readonly Refused[]): Removed {
		return { removal: count === 0 || undoMs === 0 ? null : removal, count, refused };
	}

	async function find(name: string, { documents }: TenantStore): Promise<DocumentIdentity> {
		const document = await findDocument(name, documents, false);
		if (document === null) throw fail("DOCUMENT_MISSING");
		return document;
	}

	async function bringBack({ id, customId }: SetAside, removal: RemovalId, { organisation }: Caller, tenant: TenantStore): Promise<Document | null> {
		const back = await tenant.removals.bringBack(removal, id, newJob("ingest", id, organisation, world), world.now());
		// Its parent was read again in the meantime, and has produced it anew.
		if (back === "taken" && parentOf(customId) !== null) return null;
		if (back === "taken") throw fail("CUSTOM_ID_TAKEN", customId ?? "");
		return back;
	}

	return {
		removeNamed: async (caller, names) => {
			const tenant = authorize(storage, caller);
			const removal = newId<RemovalId>(world.randomBytes);
			const refused: Refused[] = [];
			const attempt = <Result>(name: string, result: Promise<Result>) =>
				result.catch((thrown: unknown) => {
					refused.push({ id: name, error: asServiceError(thrown) });
					return null;
				});
			const found = await Promise.all([...new Set(names)].map(async (name) => ({ name, document: await attempt(name, find(name, tenant)) })));
			// Named twice, or removed with its parent: reported and counted once.
			const distinct = new Map(found.flatMap(({ name, document }) => (document === null ? [] : [[document.id, { name, document }]])));
			const isAlong = ({ customId }: DocumentIdentity) => distinct.has(parentOf(customId) ?? asId<DocumentId>(""));
			const whole = [...distinct.values()].filter(({ document }) => !isAlong(document));
			const counts = await Promise.all(whole.map(({ name, document }) => attempt(name, take(document, removal, tenant))));
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
				const page = { offset: 0, limit: batch, sort: "createdAt", order: "asc" } as const;
				const { documents } = await tenant.documents.list(scope, documentStatuses, page, false);
				if (documents.length === 0) return resultOf(removal, count, []);
				count += await takeAll(documents, removal, tenant);
			}
		},
		rollBack: async (caller, source, scope, { dryRun, removal: given }) => {
			const tenant = authorize(storage, caller);
			if (dryRun) {
				const { unknown, ...foreseen } = await foresee(source, scope, tenant);
				return { ...foreseen, removal: null, refused: unknown };
			}
			demandRole(caller, "write");
			const removal = given ?? newId<RemovalId>(world.randomBytes);
			const { memories, ...removed } = await rollBack(source, scope, removal, tenant, (document) => take(document, removal, tenant).catch(noneIfMissing));
			return { ...resultOf(removal, removed.count, removed.refused), memories };
		},
		restore: async (caller, name) => {
			const tenant = authorize(storage, caller);
			const removal = asId<RemovalId>(name);
			const aside = isId(name) ? await tenant.removals.list(removal, world.now()) : [];
			if (aside.length === 0) throw fail("UNDO_EXPIRED");
			const documents: Document[] = [];
			const refused: (Refused & Pick<SetAside, "customId">)[] = [];
			// In reverse order, so that each finds its memories' neighbours as they were.
			for (const each of aside) {
				try {
					const back = await bringBack(each, removal, caller, tenant);
					if (back !== null) documents.push(back);
				} catch (thrown) {
					refused.push({ id: each.id, customId: each.customId, error: expected(thrown) });
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

/** Errors about one document do not stop the others; errors of the storage do. */
function expected(thrown: unknown): ServiceError {
	const error = asServiceError(thrown);
	if (error.kind === "conflict" || error.kind === "forbidden") return error;
	throw error;
}
