/** Lists a bucket to its end and decides which of its objects are documents. */

import { limits, type Step } from "cairn-memory";
import { itemKey } from "../item-key.ts";
import type { Bucket } from "./bucket.ts";
import type { KnownObjects } from "./known-objects.ts";
import type { ListedObject } from "./list-page.ts";

export interface Survey {
	/** In the order of the list, but existing documents first: a new object never displaces an old one. */
	readonly wanted: ReadonlyMap<string, ListedObject>;
	/** Whether the list was read to its end. If not, nothing counts as gone. */
	readonly isWhole: boolean;
}

const pageMax = 1_000; // the most that S3 gives
/** A million names: minutes of listing. A bucket with more wants a prefix. */
const pagesMax = 1_000;
/** Archived objects have to be restored by their owner before they can be read. */
const archives: ReadonlySet<string> = new Set(["GLACIER", "DEEP_ARCHIVE"]);

export async function survey(bucket: Bucket, known: KnownObjects, documentsMax: number, step: Step): Promise<Survey> {
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
	if (token !== null) step.warn("S3_LIST_TOO_LONG", `only the first ${pagesMax * pageMax} objects were looked at; a prefix would narrow it`);
	if (skipped.length > 0) step.warn("S3_OBJECTS_SKIPPED", `${skipped.length} objects are too large, archived or named so that no address leads to them`);
	return { wanted: new Map([...old, ...fresh].slice(0, documentsMax)), isWhole: token === null };
}

/** An address cannot contain `.` and `..` as parts of a path: clients and servers remove them. */
function isReadable({ key, size, storageClass }: ListedObject): boolean {
	const hasDots = key.split("/").some((part) => part === "." || part === "..");
	return key !== "" && !hasDots && size <= limits.fileBytesMax && !archives.has(storageClass ?? "");
}
