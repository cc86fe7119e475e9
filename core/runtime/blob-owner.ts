/**
 * Lets a database remove blobs only where they are its own. To any other one, as an empty one or last night's copy, all or the newest of them
 * look like blobs that nothing needs. So the blobs have a mark, `<id>-<turn>`, and the database has the same id and a turn that is not behind:
 * every sweep takes the next turn, so the mark has gone on without a copy of the database. Whichever of the two finds that contests the mark,
 * and then neither is the owner.
 */

import type { Json } from "../model/json.ts";
import type { BlobStorePlugin } from "../ports/blob-store.ts";
import type { StoragePlugin } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { contestedMark, type FoundOwner, idOf, isOwn, markOf, type OwnerRow, ownerRecord, readMark, refusalOf, turnOf } from "./blob-mark.ts";
import { isEmpty, isShared, knowsMost } from "./known-blobs.ts";

const { organisation: installation, kind, id: recordId } = ownerRecord;
/** How long a blob may be there before its document is. */
export const spareMs = 60 * 60_000;
/** A yes is not asked for again for so long. */
const trustedMs = 60_000;
/** Time for somebody to read the log before most of all blobs go. */
const hesitationMs = 3 * 24 * spareMs;
/** How often blobs without a mark are compared with the database. */
const askEveryMs = 6 * spareMs;

export interface BlobOwner {
	/** Before a blob is written: what is empty becomes ours. */
	readonly claimIfEmpty: () => Promise<void>;
	/** Whether blobs may be removed now. */
	readonly mayRemove: () => Promise<boolean>;
	/**
	 * Before a sweep. @returns until when blobs are known to the database, also if it is a copy, or the original has had its say about all since;
	 * null if it is not the owner
	 */
	readonly takeTurn: () => Promise<Date | null>;
	/** Whether a sweep that would remove most blobs has been due for days. @param isMost whether this one would */
	readonly hasHesitated: (isMost: boolean) => Promise<boolean>;
	/** Why nothing may be removed, as of the last sweep; null if it may. */
	readonly refusal: () => string | null;
}

export interface BlobOwnerParts {
	readonly storage: Pick<StoragePlugin, "organisation" | "blobsNeeded" | "supports">;
	readonly blobs: BlobStorePlugin;
	readonly world: Pick<World, "now" | "log" | "randomBytes">;
	/** The mark by which the operator makes the blobs ours, whosever they are; null for none. */
	readonly claim: string | null;
}

interface Row extends OwnerRow {
	/** When it took the turn. */
	readonly at: number;
	/** The last three turns that have the whole time between two sweeps between them. Absent before the first. */
	readonly spacedTurns?: readonly number[];
	/** Since when a sweep would remove most blobs; null if it would not. */
	readonly hesitatingSince: number | null;
	readonly version: number;
}

type Found = FoundOwner<Row>;

export function createBlobOwner({ storage, blobs, world, claim }: BlobOwnerParts): BlobOwner {
	const { owner } = blobs;
	const records = () => storage.organisation(installation).records;
	const now = () => world.now().getTime();
	const isAlone = !isShared(storage, blobs);
	const spacedMs = Math.max(blobs.sweepEveryMs ?? 0, spareMs);
	let trustedUntil = 0;
	let askAgainAt = 0;
	let refusal: string | null = null;
	let claiming: Promise<void> | null = null;

	/** The mark is read first: it is written after the row, so it is never ahead of its own database. */
	async function look(): Promise<Found> {
		const mark = await readMark(owner);
		const record = await records().get(kind, recordId, world.now());
		return { mark, row: record && { ...(record.value as unknown as Omit<Row, "version">), version: record.version } };
	}

	/** @returns null if another program has changed it meanwhile */
	async function putRow({ version, ...value }: Row): Promise<Row | null> {
		const put = await records().put(kind, recordId, value as unknown as Json, { expected: version, expiresAt: null, now: world.now() });
		return put === null ? null : { ...value, version: put };
	}

	/** Which of two programs of the same database takes the turn does not matter. A mark that could not be written is behind, which is fine. */
	async function nextTurn(row: Row): Promise<Row> {
		const before = row.spacedTurns ?? [];
		const spacedTurns = now() - (before.at(-1) ?? 0) < spacedMs ? before : [...before, now()].slice(-3);
		const taken = await putRow({ ...row, turn: row.turn + 1, at: now(), spacedTurns });
		if (taken === null) return row;
		await owner?.write(markOf(taken));
		return taken;
	}

	/** Who came first is not known: nobody owns the blobs until the operator says whose they are. Where that cannot be written, it is tried again. */
	async function contest({ mark, row }: Found): Promise<string | null> {
		if (mark === null || row === null || idOf(mark) !== row.id) return mark;
		const contested = contestedMark(mark, row);
		await owner?.write(contested).catch(() => undefined);
		return contested;
	}

	/** Asking means to list all blobs. */
	async function mayAssume(): Promise<boolean> {
		if (isAlone) return true;
		if (now() < askAgainAt) return false;
		const isKnown = await knowsMost(storage, blobs, new Date(now() - spareMs));
		if (!isKnown) askAgainAt = now() + askEveryMs;
		return isKnown;
	}

	function newId(): string {
		return Array.from(world.randomBytes(12), (byte) => byte.toString(16).padStart(2, "0")).join("");
	}

	async function ensureRow(row: Row | null): Promise<Row> {
		const first = { id: newId(), turn: 0, at: now(), hesitatingSince: null, version: 0 };
		const made = row ?? (await putRow(first)) ?? (await look()).row;
		if (made === null) throw new Error("the record of the owner of the blobs cannot be made");
		return made;
	}

	async function takeTurn(): Promise<Date | null> {
		if (owner === undefined) return world.now();
		const found = await look();
		let row = await ensureRow(found.row);
		if (!isOwn(found)) {
			const isClaimed = claim !== null && claim === (found.mark ?? row.id);
			if (!isClaimed && (found.mark !== null || !(await mayAssume()))) return refuse(await contest(found), row);
			// Without a mark they were nobody else's, as at every first start: nothing to tell.
			world.log(found.mark === null ? "debug" : "info", "the original files are now those of this server", { mark: found.mark });
			// With another id, a copy that still runs finds a mark that it has nothing to do with.
			const id = isClaimed && found.mark !== null ? newId() : row.id;
			row = await nextTurn({ ...row, id, turn: Math.max(row.turn, turnOf(found.mark)) });
		} else if (now() - row.at >= spareMs) row = await nextTurn(row);
		refusal = null;
		const [twoBack = 0, , latest] = row.spacedTurns ?? [];
		return new Date(latest === undefined ? 0 : twoBack);
	}

	function refuse(mark: string | null, row: Row): null {
		const reason = refusalOf({ mark, row });
		if (reason !== refusal) world.log("warn", "no original files are removed", { reason });
		refusal = reason;
		return null;
	}

	async function claimEmpty(): Promise<void> {
		const found = await look();
		if (found.mark === null && (await isEmpty(blobs))) await nextTurn(await ensureRow(found.row));
	}

	return {
		claimIfEmpty: async () => {
			if (owner === undefined) return;
			claiming ??= claimEmpty();
			// If it fails, the next blob tries again, and this one is stored anyway.
			await claiming.catch(() => {
				claiming = null;
			});
		},
		mayRemove: async () => {
			if (owner === undefined || now() < trustedUntil) return true;
			const found = await look();
			const isOurs = isOwn(found);
			if (isOurs) trustedUntil = now() + trustedMs;
			else await contest(found);
			return isOurs;
		},
		takeTurn,
		hasHesitated: async (isMost) => {
			const { row } = await look();
			if (row === null) return true;
			const since = isMost ? (row.hesitatingSince ?? now()) : null;
			if (since === row.hesitatingSince) return since === null || now() - since >= hesitationMs;
			await putRow({ ...row, hesitatingSince: since });
			if (since !== null) world.log("warn", "more than half of the original files belong to no document; they are removed in three days", {});
			return since === null;
		},
		refusal: () => refusal,
	};
}
