/**
 * The mark of the blobs, `<id>-<turn>`, and the record of the database that it is compared with. Reading both changes nothing, so that the
 * doctor may tell whose the blobs are.
 */

import { asId, type OrganisationId } from "../model/id.ts";
import type { BlobStorePlugin } from "../ports/blob-store.ts";
import type { RecordKind } from "../ports/record-store.ts";

/** Where the record is. The organisation is what nobody has as one: its records are of the whole installation. */
export const ownerRecord = {
	organisation: asId<OrganisationId>("installation"),
	kind: "blob-owner" as const satisfies RecordKind,
	id: "blobs",
};
/** In place of an id in the mark of blobs whose owner is contested. */
const contestedId = "contested";
/** What no database has written is damage, and counts as no mark. */
const validMark = new RegExp(`^(?:[0-9a-f]{24}-\\d+|${contestedId}-\\d+-[0-9a-f]{24})$`);

/** What the database knows of itself. */
export interface OwnerRow {
	readonly id: string;
	readonly turn: number;
}

export interface FoundOwner<Row extends OwnerRow = OwnerRow> {
	readonly mark: string | null;
	readonly row: Row | null;
}

export async function readMark(owner: BlobStorePlugin["owner"]): Promise<string | null> {
	const read = (await owner?.read()) ?? "";
	return validMark.test(read) ? read : null;
}

export function markOf({ id, turn }: OwnerRow): string {
	return `${id}-${turn}`;
}

export function contestedMark(mark: string, { id }: OwnerRow): string {
	return `${contestedId}-${turnOf(mark)}-${id}`;
}

export function idOf(mark: string): string {
	return mark.split("-")[0] ?? "";
}

export function turnOf(mark: string | null): number {
	const turn = Number(mark?.split("-")[1]);
	return Number.isSafeInteger(turn) ? turn : 0;
}

export function isOwn({ mark, row }: FoundOwner): boolean {
	return mark !== null && row !== null && idOf(mark) === row.id && turnOf(mark) <= row.turn;
}

/** Why blobs that are not the database's own are not removed, and what the operator can do. Without a mark most were found to be unknown. */
export function refusalOf({ mark, row }: FoundOwner): string {
	const isCopied = mark !== null && row !== null && mark.includes(row.id);
	const marked = isCopied ? "a copy of this database has been there" : "they are of another server";
	const whose = mark === null ? "most of them belong to no document of this server" : marked;
	return `${whose}; if they are of this one alone, set CAIRN_BLOBS_CLAIM=${mark ?? row?.id} and restart it`;
}
