/** Whether the storage can do its work now: it can be read, nothing in it was found damaged, and writes get through. */

import { statfs } from "node:fs/promises";
import { fail, type Log, type ServiceError } from "cairn-memory";
import type { WriterClient } from "../writer/writer-client.ts";
import type { Reads } from "./reads.ts";

/** It can be asked for without a key and as often as one likes. */
const askedAgainMs = 1_000;
/** With less than this left even a small document fails. */
const bytesFreeMin = 2 ** 20;

/** @returns what rejects with the reason when it is not ready. */
export function readiness(folder: string, { statement }: Reads, { health }: WriterClient): () => Promise<void> {
	let asked: Promise<void> | null = null;
	let askedAt = Number.NEGATIVE_INFINITY;

	async function look(): Promise<void> {
		statement("SELECT 1 FROM organisations LIMIT 1").get();
		await health.ping();
		await refuseFullDisk(folder);
	}

	return () => {
		if (asked === null || performance.now() - askedAt > askedAgainMs) {
			askedAt = performance.now();
			asked = look();
		}
		return asked;
	};
}

/** The log that writes go to may have some room left in it; originals of documents have none. */
async function refuseFullDisk(folder: string): Promise<void> {
	const { bsize, blocks, bfree, bavail } = await statfs(folder);
	const free = process.getuid?.() === 0 ? bfree : bavail;
	// Some file systems do not tell.
	if (blocks > 0 && free * bsize < bytesFreeMin) throw fail("STORAGE_FULL");
}

/** Tells the writer of damage, which every thread may come across, and the log once: from then on the storage is not ready. */
export function damageNoter({ health }: Pick<WriterClient, "health">, log: Log): (error: ServiceError) => void {
	return (error) => {
		if (error.code !== "STORAGE_DAMAGED") return;
		const { cause } = error;
		health.noteDamage(String(error.words[0] ?? "")).then(
			(isNew) => isNew && log("error", error.message, { remedy: error.hint, cause: cause instanceof Error ? (cause.stack ?? cause.message) : null }),
			() => undefined,
		);
	};
}
