/** Lists all objects of a bucket and decides which of them are documents. */

import { limits, type Step } from "cairn-memory";
import type { ListedObject, ListPage } from "../../s3-client/list-page.ts";
import { beginningOfName, itemKey, nameOfKey } from "../item-key.ts";
import type { KeptPages } from "../kept-pages.ts";
import { Selection } from "../known-items.ts";
import { neverTwice } from "../never-twice.ts";
import type { Listing } from "../sync-listing.ts";
import type { Bucket } from "./bucket.ts";
import { provider } from "./config.ts";

/** Objects per page; S3 returns no more. */
const pageMax = 1_000;
/** A million names take minutes to list. For a larger bucket the user has to set a prefix. */
const pagesMax = 1_000;
/** Pages to look through for one object whose name is too long for a key. It is taken to be there if it is on none of them, and there are more. */
const pagesOfOneMax = 20;
/** Storage classes of archived objects, which their owner has to restore before they can be read. */
const archiveClasses: ReadonlySet<string> = new Set(["GLACIER", "DEEP_ARCHIVE"]);

type Page = ListPage & { readonly skipped: number; readonly isPartial: boolean; readonly isEmpty: boolean };

/** Existing documents come first, so that a new object never displaces one. If the list was not read to its end, no document is removed. */
export async function survey(
	bucket: Bucket,
	known: ReadonlyMap<string, string>,
	documentsMax: number,
	kept: KeptPages,
	step: Step,
): Promise<Listing<ListedObject>> {
	const found = new Selection<ListedObject>(known, documentsMax);
	let token: string | null = null;
	const demandNew = neverTwice(provider);
	let [pages, skipped, isPartial, isEmpty] = [0, 0, false, true];
	do {
		step.signal.throwIfAborted();
		const at: string | null = token;
		demandNew(at ?? "");
		const page: Page = await kept.page(at ?? "", async () => {
			const { objects, next } = await bucket.list(at, pageMax, step);
			const files = objects.filter(isFile);
			const readable = files.filter(isReadable);
			const fitting = readable.filter(({ key }) => found.hasRoom(itemKey(key)));
			return { objects: fitting, skipped: files.length - readable.length, isPartial: fitting.length < readable.length, isEmpty: objects.length === 0, next };
		});
		for (const object of page.objects) found.add(itemKey(object.key), object);
		skipped += page.skipped;
		isPartial ||= page.isPartial;
		isEmpty &&= page.isEmpty;
		token = page.next;
		pages += 1;
		step.progress({ done: found.count, total: documentsMax, unit: "object" });
	} while (token !== null && pages < pagesMax);
	if (token !== null) step.warn("S3_LIST_TOO_LONG", `only the first ${pagesMax * pageMax} objects were listed; set a prefix to list fewer`);
	if (skipped > 0) step.warn("S3_OBJECTS_SKIPPED", `${skipped} objects are too large, archived, or have a key that no URL can contain`);
	const chosen = found.chosen();
	return { wanted: chosen.wanted, isPartial: isPartial || chosen.isPartial, isEmpty, isGone: () => token === null };
}

/** Whether one of the objects whose names begin as the key's does has this key. Of a name that is whole in the key its own comes first. */
export async function isThere(key: string, prefix: string, bucket: Bucket, step: Step): Promise<boolean> {
	const beginning = beginningOfName(key);
	if (!beginning.startsWith(prefix) && !prefix.startsWith(beginning)) return false;
	const isWhole = nameOfKey(key) !== null;
	let token: string | null = null;
	const demandNew = neverTwice(provider);
	for (let pages = 0; pages < pagesOfOneMax; pages++) {
		step.signal.throwIfAborted();
		demandNew(token ?? "");
		const { objects, next } = await bucket.list(token, isWhole ? 1 : pageMax, step, longer(beginning, prefix));
		if (objects.some((object) => itemKey(object.key) === key && isFile(object) && isReadable(object))) return true;
		if (isWhole || next === null) return false;
		token = next;
	}
	return true;
}

function longer(one: string, other: string): string {
	return one.length < other.length ? other : one;
}

function isFile({ key, size }: ListedObject): boolean {
	return !key.endsWith("/") && size !== 0;
}

/** A key with `.` or `..` as a path segment cannot be requested: clients and servers remove such segments from URLs. */
function isReadable({ key, size, storageClass }: ListedObject): boolean {
	const hasDotSegment = key.split("/").some((segment) => segment === "." || segment === "..");
	return key !== "" && !hasDotSegment && size <= limits.fileBytesMax && !archiveClasses.has(storageClass ?? "");
}
