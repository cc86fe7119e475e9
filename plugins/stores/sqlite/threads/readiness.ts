/** Whether the storage is ready: it can be read, no damage was found, and writes succeed. */

import { statfs } from "node:fs/promises";
import { fail, isDiskShort, type Log, type ServiceError } from "cairn-memory";
import type { WriterClient } from "../writer/writer-client.ts";
import type { Reads } from "./reads.ts";

/** A result is reused for this time, because the check can be requested without a key as often as anybody likes. */
const reusedMs = 1_000;

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

/** The writer lets the check itself through, as it does deletions. */
async function refuseFullDisk(folder: string): Promise<void> {
	if (isDiskShort(await statfs(folder), process.getuid?.() === 0)) throw fail("STORAGE_FULL");
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
