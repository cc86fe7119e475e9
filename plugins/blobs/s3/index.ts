/** Stores blobs in a bucket of S3 or a compatible service: `<prefix>/<organisation>/<two characters>/<key>`, the paths of the folder store. */

import { type BlobStore, type BlobStorePlugin, definePlugin, type HeldBlob, type OrganisationId, type World } from "cairn-memory";
import { z } from "zod";
import { openS3, type S3Client } from "../../s3-client/client.ts";
import { awsSettings, s3Location } from "../../s3-client/location.ts";
import { blobAt, blobPath } from "../blob-path.ts";

const name = "s3";
const urlSetting = "CAIRN_BLOBS_URL";

/** A list of a million blobs costs about half a cent. */
const sweepEveryMs = 6 * 60 * 60_000;
/** An upload in parts that is older was interrupted: the largest file takes less than a day at a megabit per second. */
const uploadMsMax = 24 * 60 * 60_000;

/** Not the path of any blob. */
const ownerKey = "owner";

export function openBlobs(client: S3Client, { now }: Pick<World, "now">): BlobStorePlugin {
	return {
		name,
		sweepEveryMs,
		organisation: (organisation) => blobsOf(client, organisation),
		list: () => listBlobs(client),
		read: () => readObjects(client),
		owner: {
			read: async () => {
				const pieces = await client.read(ownerKey);
				return pieces === null ? null : Buffer.concat(await Array.fromAsync(pieces)).toString("utf8");
			},
			write: async (mark) => void (await client.put(ownerKey, once(new TextEncoder().encode(mark)), mark.length)),
		},
		maintain: (signal) => client.abortUploads(new Date(now().getTime() - uploadMsMax), signal),
	};
}

function blobsOf(client: S3Client, organisation: OrganisationId): BlobStore {
	return {
		// The methods are asynchronous so that an invalid key rejects.
		put: async (key, bytes, bytesMax) => client.put(blobPath({ organisation, key }), bytes, bytesMax),
		get: async (key) => {
			const pieces = await client.read(blobPath({ organisation, key }));
			return pieces === null ? null : Buffer.concat(await Array.fromAsync(pieces));
		},
		remove: async (key) => client.remove(blobPath({ organisation, key })),
	};
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

async function* listBlobs(client: S3Client): AsyncGenerator<HeldBlob> {
	for await (const { key, byteLength, modifiedAt } of client.list()) {
		const blob = blobAt(key);
		if (blob !== null) yield { ...blob, byteLength, writtenAt: modifiedAt, placedAt: modifiedAt };
	}
}

async function* readObjects(client: S3Client): ReturnType<NonNullable<BlobStorePlugin["read"]>> {
	for await (const { key } of client.list()) {
		// The mark of the folder itself, which the console of AWS makes, has no content, and its key would name the bucket.
		if (key === "") continue;
		const pieces = await client.read(key);
		if (pieces !== null) yield { name: key, pieces };
	}
}

const keys = z.strictObject({ accessKeyId: z.string(), secretAccessKey: z.string(), sessionToken: z.string().nullable(), region: z.string() });

export default definePlugin({
	name: `blobs-${name}`,
	contract: 1,
	settings: [
		{
			env: urlSetting,
			kind: "text",
			meaning: "bucket for original files, such as s3://documents/cairn?endpoint=https://minio.example.com; by default they are in the data folder",
			use: { blobStore: name },
		},
		...awsSettings,
	],
	configure: (_options, { settings }) => {
		const url = settings[urlSetting];
		if (typeof url !== "string") return null;
		const location = s3Location(urlSetting, url, settings);
		return { options: { ...location }, endpoint: location.baseUrl };
	},
	options: z.strictObject({
		bucket: z.string(),
		prefix: z.string(),
		baseUrl: z.string(),
		keys,
		encryption: z.record(z.string(), z.string()),
	}),
	start: (location, { fetch, world }) => ({ blobStore: [openBlobs(openS3(location, { fetch, world }), world)] }),
});
