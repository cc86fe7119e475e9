/** Whether the storage is ready: it can be read, no damage was found, and writes succeed. */

import { statfs } from "node:fs/promises";
import { fail, type Log, type ServiceError } from "cairn-memory";
import type { WriterClient } from "../writer/writer-client.ts";
import type { Reads } from "./reads.ts";

/** A result is reused for this time, because the check can be requested without a key as often as anybody likes. */
const reusedMs = 1_000;
/** With less free space even a small document would fail. */
const bytesFreeMin = 2 ** 20;

/** Returns a check that rejects with the reason if the storage is not ready. */
export function readiness(folder: string, { statement }: Reads, { health }: WriterClient): () => Promise<void> {
	let lastCheck: Promise<void> | null = null;
	let checkedAt = Number.NEGATIVE_INFINITY;

	async function check(): Promise<void> {
		statement("SELECT 1 FROM organisations LIMIT 1").get();
		await health.ping();
		await refuseFullDisk(folder);
	}

	return () => {
		if (lastCheck === null || performance.now() - checkedAt > reusedMs) {
			checkedAt = performance.now();
			lastCheck = check();
		}
		return lastCheck;
	};
}

/** Writes may still succeed on a full disk, because the log file has free space, but files of documents would not. */
async function refuseFullDisk(folder: string): Promise<void> {
	const { bsize, blocks, bfree, bavail } = await statfs(folder);
	const free = process.getuid?.() === 0 ? bfree : bavail;
	// Some file systems report nothing.
	if (blocks > 0 && free * bsize < bytesFreeMin) throw fail("STORAGE_FULL");
}

/** Returns a function that reports damage, which any thread may find, to the writer and once to the log. From then on the storage is not ready. */
export function damageReporter({ health }: Pick<WriterClient, "health">, log: Log): (error: ServiceError) => void {
	return (error) => {
		if (error.code !== "STORAGE_DAMAGED") return;
		const { cause } = error;
		health.noteDamage(String(error.args[0] ?? "")).then(
			(isNew) => isNew && log("error", error.message, { remedy: error.hint, cause: cause instanceof Error ? (cause.stack ?? cause.message) : null }),
			() => undefined,
		);
	};
}
