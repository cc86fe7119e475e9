/** Keeps backups below a prefix of a bucket that the operator has named. */

import { fail, ServiceError } from "../../../core/errors/fail.ts";
import type { World } from "../../../core/ports/world.ts";
import { openS3 } from "../../../plugins/s3-client/client.ts";
import type { S3Location } from "../../../plugins/s3-client/location.ts";
import { createGuardedFetch } from "../../boot/network/guarded-fetch.ts";
import type { BackupPlace } from "./place.ts";

/** @param timeoutMs for one request, with all its bytes. @throws ServiceError from every method: `BACKUP_TARGET_FAILED` */
export function s3Place(location: S3Location, world: Pick<World, "now" | "sleep" | "random">, timeoutMs?: number): BackupPlace {
	const { bucket, prefix, baseUrl } = location;
	const fetch = createGuardedFetch({ allow: [new URL(baseUrl).host], log: () => undefined });
	const client = openS3(location, { fetch, world, ...(timeoutMs !== undefined && { timeoutMs }) });
	const refuse = (thrown: unknown): never => {
		throw thrown instanceof ServiceError && thrown.code === "BUCKET_UNAVAILABLE" ? bucketFailure(bucket, thrown) : thrown;
	};
	async function* piecesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
		try {
			yield* pieces;
		} catch (thrown) {
			refuse(thrown);
		}
	}
	return {
		address: `s3://${bucket}/${prefix}`.replace(/\/$/, ""),
		folder: null,
		list: async (folder) => {
			const objects = await Array.fromAsync(client.list(folder, { isDeep: folder !== "" })).catch(refuse);
			return objects.map(({ key, byteLength }) => ({ name: key, bytes: byteLength }));
		},
		read: async (name) => {
			const pieces = await client.read(name).catch(refuse);
			return pieces === null ? null : piecesOf(pieces);
		},
		write: async (name, pieces, bytesMax) => void (await client.put(name, pieces, bytesMax).catch(refuse)),
		create: (name, text) => client.create(name, new TextEncoder().encode(text)).catch(refuse),
		remove: (name) => client.remove(name).catch(refuse),
		removeUnfinished: (before) => client.abortUploads(before, new AbortController().signal).catch(refuse),
	};
}

/** @param reason the error of the S3 client or of its settings; its second argument is the reason as text, without keys */
export function bucketFailure(bucket: string, reason: ServiceError): ServiceError {
	return fail("BACKUP_TARGET_FAILED", `s3://${bucket}`, String(reason.args[1])).because(reason);
}
