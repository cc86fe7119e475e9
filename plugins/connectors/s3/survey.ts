/** Lists all objects of a bucket and decides which of them are documents. */

import { limits, type Step } from "cairn-memory";
import type { ListedObject } from "../../s3-client/list-page.ts";
import { itemKey } from "../item-key.ts";
import type { Listing } from "../sync-listing.ts";
import type { Bucket } from "./bucket.ts";

/** Objects per page; S3 returns no more. */
const pageMax = 1_000;
/** A million names take minutes to list. For a larger bucket the user has to set a prefix. */
const pagesMax = 1_000;
/** Storage classes of archived objects, which their owner has to restore before they can be read. */
const archiveClasses: ReadonlySet<string> = new Set(["GLACIER", "DEEP_ARCHIVE"]);

/** Existing documents come first, so that a new object never displaces one. If the list was not read to its end, no document is removed. */
export async function survey(bucket: Bucket, known: ReadonlyMap<string, string>, documentsMax: number, step: Step): Promise<Listing<ListedObject>> {
	const old = new Map<string, ListedObject>();
	const fresh = new Map<string, ListedObject>();
	const skipped: string[] = [];
	let token: string | null = null;
	let pages = 0;
	do {
		step.signal.throwIfAborted();
		const page = await bucket.list(token, pageMax, step);
		for (const object of page.objects) {
			if (object.key.endsWith("/") || object.size === 0) continue;
			if (!isReadable(object)) skipped.push(object.key);
			else if (known.has(itemKey(object.key))) old.set(itemKey(object.key), object);
			else if (fresh.size < documentsMax) fresh.set(itemKey(object.key), object);
		}
		token = page.next === token ? null : page.next;
		pages += 1;
		step.progress({ done: old.size + fresh.size, total: documentsMax, unit: "object" });
	} while (token !== null && pages < pagesMax);
	if (token !== null) step.warn("S3_LIST_TOO_LONG", `only the first ${pagesMax * pageMax} objects were listed; set a prefix to list fewer`);
	if (skipped.length > 0) step.warn("S3_OBJECTS_SKIPPED", `${skipped.length} objects are too large, archived, or have a key that no URL can contain`);
	return { wanted: new Map([...old, ...fresh].slice(0, documentsMax)), isGone: () => token === null };
}

/** A key with `.` or `..` as a path segment cannot be requested: clients and servers remove such segments from URLs. */
function isReadable({ key, size, storageClass }: ListedObject): boolean {
	const hasDotSegment = key.split("/").some((segment) => segment === "." || segment === "..");
	return key !== "" && !hasDotSegment && size <= limits.fileBytesMax && !archiveClasses.has(storageClass ?? "");
}
