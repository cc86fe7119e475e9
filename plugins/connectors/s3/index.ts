/** Connects buckets of S3 and compatible services: every object is a document, which is read again when its ETag changes. */

import { type Connector, type ConnectorItem, definePlugin, type Fetched, type Host, limits, type Step } from "cairn-memory";
import type { RE2JS } from "re2js";
import type { ListedObject } from "../../s3-client/list-page.ts";
import { type ListedSource, syncListing } from "../sync-listing.ts";
import { openBucket } from "./bucket.ts";
import { type BucketConfig, configure, provider, readBucketConfig, secrets, userIdPattern } from "./config.ts";
import { isThere, survey } from "./survey.ts";

/** The API contract prescribes four hours. */
const syncEveryMs = 4 * 60 * 60_000;

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
			sync: (config, cursor, step) => syncListing(sourceOf(readBucketConfig(config), host, step), cursor, step, host.world),
		};
		return { connector: [connector] };
	},
});

function sourceOf(config: BucketConfig, host: Host, step: Step): ListedSource<ListedObject> {
	const bucket = openBucket(config, host);
	const pattern = config.containerTagRegex === "" ? null : userIdPattern(config.containerTagRegex);
	return {
		provider,
		unit: "object",
		failureCode: "S3_OBJECT_FAILED",
		scope: JSON.stringify([config.endpoint, config.region, config.bucket, config.prefix]),
		documentsMax: config.documentsMax,
		list: (known, pages) => survey(bucket, known, config.documentsMax, pages, step),
		isThere: (key) => isThere(key, config.prefix, bucket, step),
		versionOf: ({ etag }) => etag,
		read: async (key, object) => {
			const fetched = await bucket.get(object.key, limits.fileBytesMax, step);
			return fetched === null ? null : itemOf(key, object, fetched, config.bucket, containerTagOf(pattern, object.key, step));
		},
	};
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
