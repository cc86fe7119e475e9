/**
 * Lets a database remove blobs only where they are its own. To any other one, as an empty one or last night's copy, all or the newest of them
 * look like blobs that nothing needs. So the blobs have a mark, `<id>-<turn>`, and the database has the same id and a turn that is not behind:
 * every sweep takes the next turn, so the mark has gone on without a copy of the database.
 */

import { asId, type OrganisationId } from "../model/id.ts";
import type { Json } from "../model/json.ts";
import type { BlobStorePlugin, HeldBlob } from "../ports/blob-store.ts";
import type { StoragePlugin } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";

/** What nobody has as an organisation, in whose place records of the whole installation are. */
const installation = asId<OrganisationId>("installation");
const [kind, recordId] = ["blob-owner", "blobs"] as const;
/** How long a blob may be there before its document is. */
export const spareMs = 60 * 60_000;
/** A yes is not asked for again for so long. */
const trustedMs = 60_000;
/** Time for somebody to read the log before most of all blobs go. */
const hesitationMs = 3 * 24 * spareMs;
/** How many blobs one call of the storage asks about. */
export const blobsAtOnce = 200;

export interface BlobOwner {
	/** Before a blob is written: what is empty becomes ours. */
	readonly claimIfEmpty: () => Promise<void>;
	/** Whether blobs may be removed now. */
	readonly mayRemove: () => Promise<boolean>;
	/** Before a sweep. @returns since when the database has been the owner without a break, as a copy of it may have been too; null if it is not */
	readonly takeTurn: () => Promise<Date | null>;
	/** Whether a sweep that would remove most blobs has been due for days. @param isMost whether this one would */
	readonly hasHesitated: (isMost: boolean) => Promise<boolean>;
	/** Why nothing may be removed, as of the last sweep; null if it may. */
	readonly refusal: () => string | null;
}

export interface BlobOwnerParts {
	readonly storage: Pick<StoragePlugin, "organisation" | "blobsNeeded">;
	readonly blobs: BlobStorePlugin;
	readonly world: Pick<World, "now" | "log" | "randomBytes">;
	/** The mark by which the operator makes the blobs ours, whosever they are; null for none. */
	readonly claim: string | null;
}

interface Row {
	readonly id: string;
	readonly turn: number;
	/** When it took the turn. */
	readonly at: number;
	/** Since when a sweep would remove most blobs; null if it would not. */
	readonly hesitatingSince: number | null;
	readonly version: number;
}

interface Found {
	readonly mark: string | null;
	readonly row: Row | null;
}

export function createBlobOwner({ storage, blobs, world, claim }: BlobOwnerParts): BlobOwner {
	const { owner } = blobs;
	const records = () => storage.organisation(installation).records;
	const now = () => world.now().getTime();
	let trustedUntil = 0;
	let refusal: string | null = null;
	let claiming: Promise<void> | null = null;

	/** The mark is read first: it is written after the row, so it is never ahead of its own database. */
	async function look(): Promise<Found> {
		const mark = (await owner?.read()) ?? null;
		const record = await records().get(kind, recordId, world.now());
		return { mark, row: record && { ...(record.value as unknown as Omit<Row, "version">), version: record.version } };
	}

	/** @returns null if another program has changed it meanwhile */
	async function putRow({ version, ...value }: Row): Promise<Row | null> {
		const put = await records().put(kind, recordId, value as unknown as Json, { expected: version, expiresAt: null, now: world.now() });
		return put === null ? null : { ...value, version: put };
	}

	/** Which of two programs of the same database takes the turn does not matter. A mark that could not be written is behind, which is fine. */
	async function nextTurn(row: Row): Promise<void> {
		const taken = await putRow({ ...row, turn: row.turn + 1, at: now() });
		if (taken !== null) await owner?.write(markOf(taken));
	}

	async function ensureRow(row: Row | null): Promise<Row> {
		const id = Array.from(world.randomBytes(12), (byte) => byte.toString(16).padStart(2, "0")).join("");
		const made = row ?? (await putRow({ id, turn: 0, at: now(), hesitatingSince: null, version: 0 })) ?? (await look()).row;
		if (made === null) throw new Error("the record of the owner of the blobs cannot be made");
		return made;
	}

	async function takeTurn(): Promise<Date | null> {
		if (owner === undefined) return world.now();
		const found = await look();
		const row = await ensureRow(found.row);
		if (!isOwn(found)) {
			const isClaimed = claim !== null && claim === (found.mark ?? row.id);
			if (!isClaimed && (found.mark !== null || !(await knowsMost(storage, blobs)))) return refuse(found.mark, row);
			world.log("info", "the original files are now those of this server", { mark: found.mark });
			await nextTurn({ ...row, turn: Math.max(row.turn, turnOf(found.mark)) });
		} else if (now() - row.at >= spareMs) await nextTurn(row);
		refusal = null;
		return new Date(row.at);
	}

	function refuse(mark: string | null, row: Row): null {
		const whose =
			mark === null
				? "most of them belong to no document of this server"
				: idOf(mark) === row.id
					? "a copy of this database has swept them"
					: "they are of another server";
		const reason = `${whose}; if they are of this one alone, set CAIRN_BLOBS_CLAIM=${mark ?? row.id} and restart it`;
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
			const isOurs = isOwn(await look());
			if (isOurs) trustedUntil = now() + trustedMs;
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

function markOf({ id, turn }: Row): string {
	return `${id}-${turn}`;
}

function idOf(mark: string): string {
	return mark.split("-")[0] ?? "";
}

function turnOf(mark: string | null): number {
	const turn = Number(mark?.split("-")[1]);
	return Number.isSafeInteger(turn) ? turn : 0;
}

function isOwn({ mark, row }: Found): boolean {
	return mark !== null && row !== null && idOf(mark) === row.id && turnOf(mark) <= row.turn;
}

async function isEmpty(blobs: BlobStorePlugin): Promise<boolean> {
	for await (const _ of blobs.list()) return false;
	return true;
}

/** Of blobs from before there were marks: whether the database needs at least half of them. */
async function knowsMost({ blobsNeeded }: BlobOwnerParts["storage"], blobs: BlobStorePlugin): Promise<boolean> {
	let [known, all] = [0, 0];
	for await (const { organisation, keys } of grouped(blobs.list())) {
		known += (await blobsNeeded(organisation, keys)).size;
		all += keys.length;
	}
	return known * 2 >= all;
}

/** Blobs of one organisation, so many as the storage is asked about at once. */
export async function* grouped(blobs: AsyncIterable<HeldBlob>): AsyncGenerator<{ readonly organisation: OrganisationId; readonly keys: readonly string[] }> {
	const waiting = new Map<OrganisationId, string[]>();
	for await (const { organisation, key } of blobs) {
		const keys = waiting.get(organisation) ?? [];
		waiting.set(organisation, keys);
		keys.push(key);
		if (keys.length === blobsAtOnce) yield { organisation, keys: keys.splice(0) };
	}
	for (const [organisation, keys] of waiting) if (keys.length > 0) yield { organisation, keys };
}
