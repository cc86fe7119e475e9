/** Connects buckets of S3 and compatible services: every object is a document, which is read again when its ETag changes. */

import { type Change, type Connector, type ConnectorItem, definePlugin, type Fetched, type Host, limits, ServiceError, type Step } from "cairn-memory";
import type { RE2JS } from "re2js";
import type { ListedObject } from "../../s3-client/list-page.ts";
import { type Bucket, openBucket } from "./bucket.ts";
import { type BucketConfig, configure, provider, readBucketConfig, secrets, userIdPattern } from "./config.ts";
import { type KnownObjects, readUserContext, writeKnown } from "./known-objects.ts";
import { survey } from "./survey.ts";

/** The API contract prescribes four hours. */
const syncEveryMs = 4 * 60 * 60_000;
/** The sync fails after this many failures in a row. */
const failuresMax = 5;

export default definePlugin({
	name: "connector-s3",
	contract: 1,
	start(_options, host) {
		const connector: Connector = {
			name: provider,
			secrets,
			syncEveryMs,
			configure,
			check: async (config, step) => {
				await openBucket(readBucketConfig(config), host).list(null, 1, step);
			},
			sync: (config, cursor, step) => sync(readBucketConfig(config), readUserContext(cursor), host, step),
		};
		return { connector: [connector] };
	},
});

/**
 * A checkpoint lists every object before it is put. So an object that was put right before a crash, and deleted before the next
 * sync, is known and removed.
 */
async function* sync(config: BucketConfig, known: KnownObjects, host: Host, step: Step): AsyncGenerator<Change> {
	const bucket = openBucket(config, host);
	const { wanted, isComplete } = await survey(bucket, known, config.documentsMax, step);
	const cursor = () => writeKnown(known);
	if (isComplete) {
		for (const key of [...known.keys()].filter((key) => !wanted.has(key))) {
			known.delete(key);
			yield { kind: "remove", key, cursor };
		}
	}
	const changed = [...wanted].filter(([key, { etag }]) => etag === "" || known.get(key) !== etag);
	for (const [key] of changed) known.set(key, known.get(key) ?? "");
	if (changed.length > 0) yield { kind: "checkpoint", cursor };
	yield* putObjects(changed, { config, bucket, known, step, cursor });
}

interface PutContext {
	readonly config: BucketConfig;
	readonly bucket: Bucket;
	readonly known: KnownObjects;
	readonly step: Step;
	readonly cursor: () => ReturnType<typeof writeKnown>;
}

async function* putObjects(objects: readonly (readonly [string, ListedObject])[], { config, bucket, known, step, cursor }: PutContext): AsyncGenerator<Change> {
	const pattern = config.containerTagRegex === "" ? null : userIdPattern(config.containerTagRegex);
	let failures = 0;
	for (const [done, [key, object]] of objects.entries()) {
		step.signal.throwIfAborted();
		step.progress({ done, total: objects.length, unit: "object" });
		const fetched = await bucket.get(object.key, limits.fileBytesMax, step).catch((thrown: unknown) => skipFailure(thrown, step));
		failures = fetched instanceof ServiceError ? failures + 1 : 0;
		if (fetched instanceof ServiceError) {
			if (failures >= failuresMax) throw fetched;
			continue;
		}
		if (fetched === null) {
			known.delete(key);
			yield { kind: "remove", key, cursor };
			continue;
		}
		// This is the ETag of the list, not of the response: an object replaced in between is read once more, but never missed.
		known.set(key, object.etag);
		yield { kind: "put", item: itemOf(key, object, fetched, config.bucket, containerTagOf(pattern, object.key, step)), cursor };
	}
}

/** Returns the error of an object that could not be read, so that the others go on. The object is tried again at the next sync. */
function skipFailure(thrown: unknown, step: Step): ServiceError {
	step.signal.throwIfAborted();
	if (!(thrown instanceof ServiceError)) throw thrown;
	step.warn("S3_OBJECT_FAILED", thrown.message);
	return thrown;
}

function itemOf(key: string, object: ListedObject, fetched: Fetched, bucket: string, containerTag: string | null): ConnectorItem {
	const { bytes, claimedMediaType, charset } = fetched;
	const fileName = object.key.split("/").at(-1)?.slice(-limits.fileNameCharactersMax) ?? null;
	return {
		key,
		content: { kind: "file", bytes, fileName, claimedMediaType, charset, address: null },
		title: null,
		metadata: { bucket, objectKey: object.key, ...(object.modified !== null && { lastModified: object.modified }) },
		containerTag,
	};
}

/** The container tags that the API accepts; a container with another tag could not be requested. */
const validContainerTag = new RegExp(`^[\\w:.-]{1,${limits.containerTagCharactersMax}}$`);

function containerTagOf(pattern: RE2JS | null, objectKey: string, step: Step): string | null {
	const matcher = pattern?.matcher(objectKey);
	if (!matcher?.find()) return null;
	const userId = matcher.group("userId") ?? "";
	if (validContainerTag.test(userId)) return userId;
	step.warn("S3_CONTAINER_TAG_UNFIT", "containerTagRegex found a userId that is not a valid container tag; the object is stored in the connection's container");
	return null;
}
