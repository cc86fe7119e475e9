/**
 * Which id the connection to a source has, when several requests or servers make it at the same time. The source is the key of a record,
 * and of several writes that expect no such record the store lets one create it. All of them then write the connection of that id.
 */

import { fail } from "../errors/fail.ts";
import { hasSameTags } from "../model/container.ts";
import type { Parts } from "../parts.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { Connection } from "./connection.ts";
import { connectionStore } from "./connection-store.ts";

type Source = Pick<Connection, "provider" | "containerTags" | "source">;

export interface ClaimParts extends Pick<Parts, "digest" | "world"> {
	readonly records: RecordStore;
}

/** A request adds its connection at once. */
const claimMs = 2 * 60_000;

/** Each try that fails means that another request has claimed it. */
const triesMax = 20;

/**
 * A claim without a connection belongs to a request that is about to add it, or was killed before. It expires, because the connection itself
 * is found from then on.
 * @param id that of the connection, if nobody has claimed the source. @returns the id to be used
 */
export async function claimSource(wanted: Source, id: string, { records, digest, world }: ClaimParts): Promise<string> {
	const key = keyOf(wanted, digest);
	const connections = connectionStore(records, world);
	for (let tries = 0; tries < triesMax; tries++) {
		const now = world.now();
		const claim = await records.get("connection-claim", key, now);
		const owner = claim === null ? null : await connections.get(String(claim.value));
		if (claim !== null && (owner === null || isOf(owner, wanted))) return String(claim.value);
		const options = { expected: claim?.version ?? 0, expiresAt: new Date(now.getTime() + claimMs), now };
		if ((await records.put("connection-claim", key, id, options)) !== null) return id;
	}
	throw fail("CONNECTION_CONTESTED");
}

/** Before the record of a connection is removed, so that its id is not used again, and when its containers are others. */
export async function releaseSource(connection: Connection, { records, digest, world }: ClaimParts): Promise<void> {
	const key = keyOf(connection, digest);
	const now = world.now();
	const claim = await records.get("connection-claim", key, now);
	if (claim?.value === connection.id) await records.put("connection-claim", key, connection.id, { expected: claim.version, expiresAt: now, now });
}

/**
 * When containers are merged, their connections put new documents into the target, and leave those of the sources to the merge, until
 * `endRetagging`. A running sync reads the containers of its connection before each document.
 */
export async function retagConnections(sources: readonly string[], target: string, parts: ClaimParts): Promise<void> {
	const store = connectionStore(parts.records, parts.world);
	const isAffected = (tags: readonly string[]) => tags.some((tag) => sources.includes(tag));
	for (const connection of (await store.list()).filter(({ containerTags }) => isAffected(containerTags))) {
		await releaseSource(connection, parts);
		const retag = ({ containerTags, mergedTags = [], ...rest }: Connection) => ({
			...rest,
			containerTags: [...new Set(containerTags.map((tag) => (sources.includes(tag) ? target : tag)))],
			mergedTags: [...new Set([...mergedTags, ...sources])].filter((tag) => tag !== target),
		});
		await store.amend(connection.id, retag);
	}
}

/** When nothing is left in the sources. */
export async function endRetagging(sources: readonly string[], { records, world }: Pick<ClaimParts, "records" | "world">): Promise<void> {
	const store = connectionStore(records, world);
	for (const { id, mergedTags = [] } of await store.list()) {
		if (!mergedTags.some((tag) => sources.includes(tag))) continue;
		await store.amend(id, ({ mergedTags: known = [], ...rest }) => {
			const left = known.filter((tag) => !sources.includes(tag));
			return left.length === 0 ? rest : { ...rest, mergedTags: left };
		});
	}
}

/** Not one that is being deleted, or whose container was merged into another. */
function isOf(owner: Connection, { provider, containerTags, source }: Source): boolean {
	return owner.deletion === null && owner.provider === provider && owner.source === source && hasSameTags(owner.containerTags, containerTags);
}

function keyOf({ provider, containerTags, source }: Source, digest: Parts["digest"]): string {
	return digest(JSON.stringify([provider, containerTags.toSorted(), source]));
}
