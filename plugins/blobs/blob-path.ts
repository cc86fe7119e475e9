/**
 * Where a blob lies below the folder or prefix of all blobs: `<organisation>/<two characters>/<key>`. Every store of files uses the same
 * path, so blobs can be moved from a folder to a bucket with any tool that copies files.
 */

import { createHash } from "node:crypto";
import { asId, type BlobName, fail, type OrganisationId } from "cairn-memory";

/** A key is a single file name on every system: it has no separators and does not begin with a dot. */
const keyPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/** @throws ServiceError `INPUT_INVALID` for a name that could lead to another folder */
export function blobPath({ organisation, key }: BlobName): string {
	return `${checkedName(organisation)}/${prefixOf(checkedName(key))}/${key}`;
}

/** The blob at a path; null for a path that `blobPath` does not make. */
export function blobAt(path: string): BlobName | null {
	const [organisation = "", prefix, key = "", ...rest] = path.split("/");
	const isBlob = rest.length === 0 && keyPattern.test(organisation) && keyPattern.test(key) && prefix === prefixOf(key);
	return isBlob ? { organisation: asId<OrganisationId>(organisation), key } : null;
}

/** From a hash of the key, because keys may begin with the same characters. */
function prefixOf(key: string): string {
	return createHash("sha256").update(key).digest("hex").slice(0, 2);
}

function checkedName(name: string): string {
	if (!keyPattern.test(name)) throw fail("INPUT_INVALID", `${JSON.stringify(name)} is not a valid blob key`);
	return name;
}
