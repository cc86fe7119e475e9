/** Removing many documents at once, and taking it back. */

import { openRooms } from "../access/open-rooms.ts";
import { asServiceError, fail, type ServiceError } from "../errors/fail.ts";
import type { Caller } from "../model/caller.ts";
import type { Document } from "../model/document.ts";
import { asId, type DocumentId, isId, newId, type RemovalId } from "../model/id.ts";
import type { Scope } from "../model/scope.ts";
import { documentStatuses } from "../model/status.ts";
import type { Parts } from "../parts.ts";
import { newJob } from "../pipeline/receive.ts";
import { remove } from "../pipeline/remove.ts";
import type { SetAside } from "../ports/removal-store.ts";
import type { OrganisationRooms } from "../ports/storage.ts";
import type { WakeUp } from "../queue/wake-up.ts";

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

export interface RemovalService {
	/** By id or customId. What is not there is told and keeps nothing else. */
	readonly removeNamed: (caller: Caller, names: readonly string[]) => Promise<Removed>;
	/** Everything in scope, whatever its status. What is added meanwhile may stay. */
	readonly removeAll: (caller: Caller, scope: Scope) => Promise<Removed>;
	/** @throws ServiceError `UNDO_EXPIRED` when the removal is unknown, too old, or undone already */
	readonly restore: (caller: Caller, removal: string) => Promise<Restored>;
}

type RemovalParts = Pick<Parts, "storage" | "world">;

/** Removed in one go: enough to be quick, few enough that other writers get their turn. */
const batch = 100;

/** @param undoMs how long a removal can be undone; 0 makes every one final */
export function createRemovalService({ storage, world }: RemovalParts, undoMs: number, wakeUp: Pick<WakeUp, "ring">): RemovalService {
	/** Each document goes durably by itself, with all it takes to bring it back, so it does not matter where an end of the process finds us. */
	async function take(id: DocumentId, removal: RemovalId, rooms: OrganisationRooms): Promise<void> {
		const now = world.now();
		if (undoMs === 0) return remove(id, rooms, world);
		if (!(await rooms.removals.setAside(id, removal, new Date(now.getTime() + undoMs), now))) throw fail("DOCUMENT_MISSING");
	}

	function told(removal: RemovalId, count: number, refused: readonly Refused[]): Removed {
		return { removal: count === 0 || undoMs === 0 ? null : removal, count, refused };
	}

	async function find(name: string, { documents }: OrganisationRooms): Promise<DocumentId> {
		const byId = isId(name) ? await documents.get(asId<DocumentId>(name)) : null;
		const document = byId ?? (await documents.byCustomId(name));
		if (document === null) throw fail("DOCUMENT_MISSING");
		return document.id;
	}

	async function bringBack({ id, customId }: SetAside, removal: RemovalId, { organisation }: Caller, rooms: OrganisationRooms): Promise<Document | null> {
		const back = await rooms.removals.bringBack(removal, id, newJob("ingest", id, organisation, world), world.now());
		if (back === "taken") throw fail("CUSTOM_ID_TAKEN", customId ?? "");
		return back;
	}

	return {
		removeNamed: async (caller, names) => {
			const rooms = openRooms(storage, caller);
			const removal = newId<RemovalId>(world.randomBytes);
			const distinct = [...new Set(names)];
			const refused = await Promise.all(
				distinct.map((name) =>
					find(name, rooms)
						.then((id) => take(id, removal, rooms))
						.then(
							() => [],
							(thrown: unknown) => [{ id: name, error: asServiceError(thrown) }],
						),
				),
			);
			return told(removal, distinct.length - refused.flat().length, refused.flat());
		},
		removeAll: async (caller, scope) => {
			const rooms = openRooms(storage, caller);
			const removal = newId<RemovalId>(world.randomBytes);
			for (let count = 0; ; ) {
				const page = { offset: 0, limit: batch, sort: "createdAt", order: "asc" } as const;
				const { documents } = await rooms.documents.list(scope, documentStatuses, page, false);
				if (documents.length === 0) return told(removal, count, []);
				// Another request may remove the same: then there is nothing left to do for it.
				const outcomes = await Promise.all(documents.map(({ id }) => take(id, removal, rooms).then(() => true, isMissing)));
				count += outcomes.filter(Boolean).length;
			}
		},
		restore: async (caller, name) => {
			const rooms = openRooms(storage, caller);
			const removal = asId<RemovalId>(name);
			const aside = isId(name) ? await rooms.removals.list(removal, world.now()) : [];
			if (aside.length === 0) throw fail("UNDO_EXPIRED");
			const documents: Document[] = [];
			const refused: (Refused & Pick<SetAside, "customId">)[] = [];
			// One after another, the last first: each finds its memories' neighbours as it left them.
			for (const each of aside) {
				try {
					const back = await bringBack(each, removal, caller, rooms);
					if (back !== null) documents.push(back);
				} catch (thrown) {
					refused.push({ id: each.id, customId: each.customId, error: expected(thrown) });
				}
			}
			wakeUp.ring();
			return { documents, refused };
		},
	};
}

function isMissing(thrown: unknown): false {
	if (asServiceError(thrown).code === "DOCUMENT_MISSING") return false;
	throw thrown;
}

/** What concerns one document does not keep the others; what concerns the storage ends the request. */
function expected(thrown: unknown): ServiceError {
	const error = asServiceError(thrown);
	if (error.kind === "conflict" || error.kind === "forbidden") return error;
	throw error;
}
