/** A service that lists nothing at all, though it has brought documents before, is not taken for one that was emptied. */

import { fail, type ServiceError } from "cairn-memory";

/**
 * What a sync fails with instead of removing everything: a storage that is not mounted and an account that has lost its rights list nothing either.
 * rclone's bisync stops at an empty list too, and Nextcloud's own client asks before it removes everything.
 * @param unit what there is none of, such as `file`
 */
export function nothingListed({ provider, unit }: { readonly provider: string; readonly unit: string }): ServiceError {
	const reason = "as where a storage is not mounted or a right was taken away";
	return fail("CONNECTION_SOURCE_MISSING", provider, `no ${unit} is there, ${reason}; the documents stay until there is one again`);
}
